"""A function of main registers an implementation by a decorator."""

import functools
import multiprocessing
import sys


@functools.singledispatch
def describe(thing):
    return "thing"


def extend():
    @describe.register
    def _(number: int):
        return "number"


def work(thing):
    return describe(thing)


def main(method):
    extend()
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1, "a"]))


if __name__ == "__main__":
    main(sys.argv[1])
