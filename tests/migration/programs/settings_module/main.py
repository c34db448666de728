"""A setting of another module, imported under another name, that main sets."""

import multiprocessing
import sys

import settings as s


def work(number):
    return s.path


def main():
    s.path = "/data"
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
