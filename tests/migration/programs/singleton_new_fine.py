"""A singleton whose attribute every process sets."""

import multiprocessing
import sys


class Config:
    _instance = None

    def __new__(cls):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
            cls._instance.scale = 1
        return cls._instance


def configure():
    Config().scale = 3


def work(number):
    return number * Config().scale


def main(method):
    configure()
    with multiprocessing.get_context(method).Pool(1, initializer=configure) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
