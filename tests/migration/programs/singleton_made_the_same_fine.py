"""Each process makes the one object in the same way."""

import multiprocessing
import sys


class Config:
    _instance = None

    def __init__(self):
        self.scale = 2

    @classmethod
    def get(cls):
        if cls._instance is None:
            cls._instance = cls()
        return cls._instance


def work(x):
    return x * Config.get().scale


def main():
    print(Config.get().scale)
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    main()
