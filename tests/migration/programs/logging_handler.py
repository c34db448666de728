"""A handler of the logger that only main adds."""

import logging
import multiprocessing
import sys

LOGGER = logging.getLogger("jobs")


def work(number):
    LOGGER.info("working")
    return len(LOGGER.handlers)


def main():
    LOGGER.addHandler(logging.NullHandler())
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
