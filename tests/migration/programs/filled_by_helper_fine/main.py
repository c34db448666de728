"""A copy of a table that main fills, by a function that is given the copy; workers get it."""

import functools
import multiprocessing
import sys

import limits
import options


def cut(bounds, rows):
    return rows[: bounds["rows"]] + [limits.LIMITS["columns"]]


def main(method):
    bounds = dict(limits.LIMITS)
    options.overlay(bounds, {"rows": 2})
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(functools.partial(cut, bounds), [[1, 2, 3, 4]]))


if __name__ == "__main__":
    main(sys.argv[1])
