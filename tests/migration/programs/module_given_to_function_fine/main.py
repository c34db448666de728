"""A module that main gives to a function, which only reads it."""

import multiprocessing
import sys

import params


def shown(module):
    return [name for name in vars(module) if not name.startswith("_")]


def main(method):
    print(shown(params))
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(params.level, [12]))


if __name__ == "__main__":
    main(sys.argv[1])
