"""Options in a module global that main parses."""
import argparse
import logging
import multiprocessing
import sys
from multiprocessing import Pool

log = logging.getLogger(__name__)
args = None


def parse(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=int, default=3)
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args(argv)


def work(number):
    if args.verbose:
        log.info("work on %s", number)
    return number * args.scale


def main():
    global args
    args = parse([])
    with Pool(1) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
