"""The settings go along with each task."""

import multiprocessing
import sys

CONFIG = {"scale": 1}


def scaled(config, number):
    return config["scale"] * number


def work(number):
    return scaled(CONFIG, number)


def main():
    config = dict(CONFIG, scale=2)
    print(scaled(config, 1))
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
