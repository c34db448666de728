"""An object that a function makes when it is asked for: main sets what no worker reads."""

import multiprocessing
import sys


_config = None


class Config:
    def __init__(self):
        self.scale = 1
        self.verbose = False


def get_config():
    global _config
    if _config is None:
        _config = Config()
    return _config


def work(number):
    return number * get_config().scale


def main(method):
    get_config().verbose = True
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
