"""A class whose attributes a function sets by the names of its arguments."""

import multiprocessing
import sys


class Images:
    size = 2


def configure(cls, **options):
    for name, value in options.items():
        setattr(cls, name, value)


def work(number):
    return number * Images.size


def main(method):
    configure(Images, size=3)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
