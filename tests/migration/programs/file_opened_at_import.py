"""The module opens its file at import for writing; main writes to it before workers start."""

import multiprocessing
import sys

LOG = open("log.txt", "w")


def work(number):
    return number


def main(method):
    LOG.write("started\n")
    LOG.flush()
    with multiprocessing.get_context(method).Pool(1) as pool:
        pool.map(work, [1])
    with open("log.txt") as file:
        print(file.readlines())


if __name__ == "__main__":
    main(sys.argv[1])
