"""A class attribute that a class method sets through `cls`."""

import multiprocessing
import sys

class Config:
    scale = 1

    @classmethod
    def configure(cls, scale):
        cls.scale = scale


def work(number):
    return Config.scale


def main():
    Config.configure(2)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
