"""A database in memory that the import fills, and main only reads."""

import multiprocessing
import sys

import countries


def main(method):
    print(countries.count())
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(countries.name_of, ["SE", "IS"]))


if __name__ == "__main__":
    main(sys.argv[1])
