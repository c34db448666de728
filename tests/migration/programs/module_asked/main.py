"""A module that gives by `__getattr__` what main has put into its table."""

import multiprocessing
import sys

import words


def greet(name):
    return words.WORD + name


if __name__ == "__main__":
    words.override(WORD="hallo ")
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(greet, ["Ann"]))
