"""An object that a function makes anew each time, on which main sets an attribute."""

import multiprocessing
import sys


class Config:
    def __init__(self):
        self.scale = 1


def get_config():
    return Config()


def work(number):
    return number * get_config().scale


def main(method):
    get_config().scale = 3
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
