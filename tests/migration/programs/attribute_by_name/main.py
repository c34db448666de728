"""Settings of another module that main sets by `setattr`."""

import multiprocessing
import sys

import settings


def work(number):
    return settings.level


def main():
    for name, value in {"level": 2}.items():
        setattr(settings, name, value)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
