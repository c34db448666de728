"""An initializer makes the one object of each worker."""

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
    print(Config.get(3).scale)
    with multiprocessing.get_context(sys.argv[1]).Pool(1, Config.get, (3,)) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    main()
