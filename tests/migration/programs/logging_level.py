"""Logging that only main configures."""

import logging
import multiprocessing
import sys

LOGGER = logging.getLogger("jobs")


def work(number):
    return LOGGER.isEnabledFor(logging.INFO)


def main():
    logging.basicConfig(level=logging.INFO)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
