"""Numbers that a function counts up and does not use: main calls it before workers do."""

import multiprocessing
import sys

calls = 0


def double(number):
    global calls
    calls += 1
    return 2 * number


if __name__ == "__main__":
    print(double(1))
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(double, [0]))
