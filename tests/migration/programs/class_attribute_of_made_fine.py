"""A class attribute that main sets, and that the objects which workers make have themselves."""

import multiprocessing
import sys


class Images:
    size = 2

    def __init__(self, size):
        self.size = size


def work(number):
    images = Images(number)
    return number * images.size


def main(method):
    Images.size = 3
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
