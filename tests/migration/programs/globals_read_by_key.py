"""A global below the guard, read by the dict of the module, with a default."""

import multiprocessing
import sys


def work(number):
    options = {"unit": "m", **globals().get("OPTIONS", {})}
    return f"{number}{options['unit']}"


def main():
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    OPTIONS = {"unit": "ft"}
    main()
