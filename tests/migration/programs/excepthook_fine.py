"""A hook for exceptions that no worker needs."""

import multiprocessing
import sys

def hook(kind, value, trace):
    print(value)


def work(number):
    return number


def main():
    sys.excepthook = hook
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
