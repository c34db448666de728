"""The limit of csv fields, which only main sets."""

import csv
import io
import multiprocessing
import sys


def work(number):
    return len(next(csv.reader(io.StringIO("x" * 200_000)))[0])


def main():
    csv.field_size_limit(1_000_000)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
