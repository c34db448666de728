"""Options of the command line that only main reads."""

import argparse
import multiprocessing
import sys

OPTIONS = None


def work(number):
    return OPTIONS.scale


def main():
    global OPTIONS
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", default=2)
    OPTIONS = parser.parse_args([])
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
