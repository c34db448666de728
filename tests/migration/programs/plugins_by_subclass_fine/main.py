"""Plugins that register themselves as subclasses, in modules that the script imports."""

import multiprocessing
import sys

import base
import doubling  # noqa: F401


def work(number):
    return sorted(base.Plugin.known)


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
