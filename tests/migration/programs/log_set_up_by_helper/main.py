"""The script sets up its log at import, by a function of another module: the file begins anew."""

import multiprocessing
import sys

from helper import set_up as prepare

log = prepare("tool", "run.log")


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
