"""A function tells by the name of a forked worker where it runs."""

import multiprocessing
import re
import sys

WORKER = re.compile(r"^Fork(?:Pool)?(?:Worker|Process)-\d+")


def role():
    return "worker" if WORKER.match(multiprocessing.current_process().name) else "driver"


def work(number):
    return role(), number


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(role(), pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
