"""A database in memory that the import makes, and main fills."""

import multiprocessing
import sys

import countries


def main(method):
    countries.populate([("SE", "Sweden")])
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(countries.name_of, ["SE", "IS"]))


if __name__ == "__main__":
    main(sys.argv[1])
