"""The module gives its logger a file that begins anew."""

import logging
import multiprocessing
import sys

log = logging.getLogger("tool")
log.setLevel(logging.INFO)
log.addHandler(logging.FileHandler("run.log", mode="w"))


def work(number):
    log.info("work")


def main(method):
    log.info("started")
    with multiprocessing.get_context(method).Pool(1) as pool:
        pool.map(work, [1])
    with open("run.log") as file:
        print("started" in file.read())


if __name__ == "__main__":
    main(sys.argv[1])
