"""The umask, set before the first worker starts."""

import multiprocessing
import os
import sys


def work(number):
    mask = os.umask(0)
    os.umask(mask)
    return mask


def main():
    os.umask(0o077)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
