"""The main process makes the one object with an argument; workers make their own without."""

import multiprocessing
import sys


class Config:
    _instance = None

    def __init__(self, scale=1):
        self.scale = scale

    @classmethod
    def get(cls, scale=1):
        if cls._instance is None:
            cls._instance = cls(scale)
        return cls._instance


def work(x):
    return x * Config.get().scale


def main():
    Config.get(3)
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    main()
