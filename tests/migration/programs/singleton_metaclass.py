"""A singleton by its metaclass, into which main puts something."""

import multiprocessing
import sys


class Single(type):
    _instances = {}

    def __call__(cls, *args, **given):
        if cls not in cls._instances:
            cls._instances[cls] = super().__call__(*args, **given)
        return cls._instances[cls]


class Config(metaclass=Single):
    def __init__(self):
        self.values = {"scale": 1}


def work(number):
    return number * Config().values["scale"]


def main(method):
    Config().values["scale"] = 3
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
