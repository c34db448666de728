"""A function of a library that the module replaces, at import."""

import json
import multiprocessing
import sys

def dumps(value):
    return "patched"


json.dumps = dumps


def work(number):
    return json.dumps(number)


def main():
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
