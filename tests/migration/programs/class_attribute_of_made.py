"""A class attribute that main sets, and that workers read of an object that they make."""

import multiprocessing
import sys


class Images:
    size = 2


def work(number):
    images = Images()
    return number * Images().size, images.size


def main(method):
    Images.size = 3
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
