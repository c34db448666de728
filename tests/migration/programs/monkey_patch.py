"""A function of a library that main replaces."""

import json
import multiprocessing
import sys

def dumps(value):
    return "patched"


def work(number):
    return json.dumps(number)


def main():
    json.dumps = dumps
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
