"""As many calls as there are give one object, which the first call with an argument fills."""

import multiprocessing
import sys


class Config:
    _instance = None

    def __new__(cls, *args, **kwargs):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    def __init__(self, scale=None):
        if scale is not None:
            self.scale = scale


def work(x):
    return x * Config().scale


def main():
    Config(3)
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    main()
