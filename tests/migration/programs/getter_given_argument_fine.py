"""Workers give the argument, too."""

import multiprocessing
import sys


_settings = None


def get_settings(scale=1):
    global _settings
    if _settings is None:
        _settings = {"scale": scale}
    return _settings


def work(x):
    return x * get_settings(scale=3)["scale"]


def main():
    get_settings(scale=3)
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    main()
