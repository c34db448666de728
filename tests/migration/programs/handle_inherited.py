"""A file that main opens, and the worker reads as a global."""

import multiprocessing
import sys

FILE = None


def work():
    print(FILE.readline().strip())


def main():
    global FILE
    with open(__file__) as FILE:
        process = multiprocessing.Process(target=work)
        process.start()
        process.join()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
