"""The module configures logging at import: into a file to which all append."""

import logging
import multiprocessing
import sys

logging.basicConfig(filename="run.log", level=logging.INFO)


def work(number):
    logging.info("work")


def main(method):
    logging.info("started")
    with multiprocessing.get_context(method).Pool(1) as pool:
        pool.map(work, [1])
    with open("run.log") as file:
        print("started" in file.read())


if __name__ == "__main__":
    main(sys.argv[1])
