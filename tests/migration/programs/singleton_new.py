"""A singleton whose attribute main sets."""

import multiprocessing
import sys


class Config:
    _instance = None

    def __new__(cls):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
            cls._instance.scale = 1
        return cls._instance


def work(number):
    return number * Config().scale


def main(method):
    Config().scale = 3
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
