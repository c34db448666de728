"""A table of another module that main fills, by a function that is given the table."""

import multiprocessing
import sys

import limits
import options


def cut(rows):
    return rows[: limits.LIMITS["rows"]]


def main(method):
    options.apply({"rows": 2})
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(cut, [[1, 2, 3, 4]]))


if __name__ == "__main__":
    main(sys.argv[1])
