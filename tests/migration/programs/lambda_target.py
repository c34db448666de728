"""A process that is to run a lambda."""

import multiprocessing
import sys


def main():
    process = multiprocessing.Process(target=lambda: print("done"))
    process.start()
    process.join()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
