"""Main sends standard output to a file, and no worker runs then."""

import contextlib
import multiprocessing
import sys


def work(number):
    print("work", number, flush=True)


def main(method):
    with open("out.txt", "w") as file, contextlib.redirect_stdout(file):
        print("begin")
    with multiprocessing.get_context(method).Pool(1) as pool:
        pool.map(work, [1])


if __name__ == "__main__":
    main(sys.argv[1])
