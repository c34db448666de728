"""A method of a class that main replaces."""

import multiprocessing
import sys

class Reader:
    def read(self):
        return 1


def read(self):
    return 2


def work(number):
    return Reader().read()


def main():
    Reader.read = read
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
