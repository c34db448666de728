"""An attribute of its class that a method sets by `type(self)`."""

import multiprocessing
import sys


class Scale:
    factor = 1

    def configure(self, factor):
        type(self).factor = factor


def work(number):
    return number * Scale.factor


def main(method):
    Scale().configure(3)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
