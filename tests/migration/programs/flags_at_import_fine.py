"""Options of the command line that each process reads."""

import argparse
import multiprocessing
import sys

PARSER = argparse.ArgumentParser()
PARSER.add_argument("method")
PARSER.add_argument("--scale", default=2)
OPTIONS = PARSER.parse_args()


def work(number):
    return OPTIONS.scale


def main():
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
