"""Options that a function of another module keeps, and an initializer gives to workers."""
import argparse
from multiprocessing import Pool

import config
import multiprocessing
import sys


def fetch(name):
    return name, config.cfg.args.retries


def get_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--retries", type=int, default=5)
    return parser.parse_args([])


def run():
    with Pool(1, initializer=config.init, initargs=(config.cfg.args,)) as pool:
        return pool.map(fetch, ["a"])


def main():
    config.init(get_args())
    print(run())


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
