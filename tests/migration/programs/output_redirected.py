"""Main sends standard output to a file while workers start."""

import contextlib
import multiprocessing
import sys


def work(number):
    print("work", number, flush=True)


def main(method):
    with open("out.txt", "w") as file, contextlib.redirect_stdout(file):
        with multiprocessing.get_context(method).Pool(1) as pool:
            pool.map(work, [1])
    with open("out.txt") as file:
        print(file.readlines())


if __name__ == "__main__":
    main(sys.argv[1])
