"""A class attribute as it is at import."""

import multiprocessing
import sys

class Config:
    scale = 2


def work(number):
    return Config.scale


def main():
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
