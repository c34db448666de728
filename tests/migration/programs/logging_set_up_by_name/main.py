"""Logging that main sets up, in a program that has a logger called like a function."""

import logging
import multiprocessing
import sys

from logs import setup_logging

log = logging.getLogger("crawl.main")


def crawl(path):
    log.info("fetching %s", path)


def main(method):
    setup_logging()
    process = multiprocessing.get_context(method).Process(target=crawl, args=("/index",))
    process.start()
    process.join()


if __name__ == "__main__":
    main(sys.argv[1])
