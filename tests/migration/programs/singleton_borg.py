"""Objects that share their attributes, of which main sets one."""

import multiprocessing
import sys


class Options:
    _shared = {"scale": 1}

    def __init__(self):
        self.__dict__ = self._shared

    def configure(self, scale):
        self.scale = scale


def work(number):
    return number * Options().scale


def main(method):
    options = Options()
    options.configure(3)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
