"""A seed that no worker has, under fork neither: Python seeds anew after a fork."""

import multiprocessing
import random
import sys


def work(number):
    return random.random() == 0.8444218515250481


def main():
    random.seed(0)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
