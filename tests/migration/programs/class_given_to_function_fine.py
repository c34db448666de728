"""A class that is given to a function which sets an attribute of an object of it."""

import multiprocessing
import sys


class Images:
    size = 2

    def pixels(self, number):
        return [number] * max(self.size, 1)


class Sketches:
    size = 2


def configure(cls, size):
    cls.size = size


def make(cls, size):
    images = cls()
    images.size = size
    return images


def main(method):
    configure(Sketches, 5)
    images = make(Images, 3)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(images.pixels, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
