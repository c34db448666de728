"""A registry that is filled by imports of the module."""

import multiprocessing
import sys

import plugin  # noqa: F401
import registry


def work(number):
    return sorted(registry.KNOWN)


def main():
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
