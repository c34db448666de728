"""A process that is to run a function of the module."""

import multiprocessing
import sys


def work():
    print("done")


def main():
    process = multiprocessing.Process(target=work)
    process.start()
    process.join()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
