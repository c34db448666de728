"""Main allows only short fields in CSV files, and workers note which rows have longer ones."""

import csv
import io
import multiprocessing
import sys


def fits(text):
    try:
        return len(list(csv.reader(io.StringIO(text))))
    except csv.Error:
        return None


def main(method):
    csv.field_size_limit(100)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(fits, ["a", "b" * 200]))


if __name__ == "__main__":
    main(sys.argv[1])
