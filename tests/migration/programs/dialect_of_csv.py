"""Main registers a dialect of csv that workers ask for."""

import csv
import multiprocessing
import sys


def read(row):
    return next(csv.reader([row], dialect="bank"))


def main(method):
    csv.register_dialect("bank", delimiter="|")
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(read, ["a|b"]))


if __name__ == "__main__":
    main(sys.argv[1])
