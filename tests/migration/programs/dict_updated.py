"""A dictionary of settings, with defaults, that main updates."""

import multiprocessing
import sys

CONFIG = {"scale": 1}


def work(number):
    return CONFIG["scale"]


def main():
    CONFIG.update(scale=2)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
