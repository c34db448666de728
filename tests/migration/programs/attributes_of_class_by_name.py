"""Attributes of its class that an object sets by their names when main makes it."""

import multiprocessing
import sys


class Options:
    scale = 1

    def __init__(self, **given):
        for name, value in given.items():
            setattr(self.__class__, name, value)

    def scaled(self, number):
        return number * self.scale


def main(method):
    options = Options(scale=3)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(options.scaled, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
