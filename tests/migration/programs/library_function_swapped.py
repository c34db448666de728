"""A function of the standard library that main replaces by a helper which is told its name."""

import multiprocessing
import sys
import time


def replace(owner, name, value):
    setattr(owner, name, value)


def stamp(_):
    return time.time() > 5


def main(method):
    replace(time, "time", stopped)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(stamp, [1]))


def stopped():
    return 0.0


if __name__ == "__main__":
    main(sys.argv[1])
