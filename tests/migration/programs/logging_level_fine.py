"""Logging that an initializer configures in each worker."""

import logging
import multiprocessing
import sys

LOGGER = logging.getLogger("jobs")


def configure():
    logging.basicConfig(level=logging.INFO)


def work(number):
    return LOGGER.isEnabledFor(logging.INFO)


def main():
    configure()
    with multiprocessing.Pool(1, initializer=configure) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
