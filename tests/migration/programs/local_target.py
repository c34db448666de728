"""A process that is to run a function inside a function."""

import multiprocessing
import sys


def main():
    def work():
        print("done")

    process = multiprocessing.Process(target=work)
    process.start()
    process.join()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
