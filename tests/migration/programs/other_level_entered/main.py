"""A context manager that sets a global: a stack of contexts enters it."""

import contextlib
import multiprocessing
import sys

import settings


def main(method):
    with contextlib.ExitStack() as stack:
        stack.enter_context(settings.at_level(5))
        pool = stack.enter_context(multiprocessing.get_context(method).Pool(1))
        print(pool.map(settings.weigh, [2]))


if __name__ == "__main__":
    main(sys.argv[1])
