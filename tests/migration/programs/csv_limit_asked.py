"""A limit that main sets, and that workers ask for."""

import sys
import csv
import multiprocessing as mp


def work(_):
    return csv.field_size_limit()


def main():
    csv.field_size_limit(10_000_000)
    with mp.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, [0]))


if __name__ == "__main__":
    main()
