"""Globals read by the dict of the module: one that all processes have, and one that none has."""

import multiprocessing
import sys

OPTIONS = {"unit": "ft"}


def work(number):
    options = {"unit": "m", **globals().get("OPTIONS", {}), **globals().get("MORE", {})}
    return f"{number}{options['unit']}"


def main():
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
