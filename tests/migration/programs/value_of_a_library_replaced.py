"""Not all of `sys` goes along."""

import multiprocessing
import sys


def work(_):
    return sys.dont_write_bytecode


def main():
    sys.dont_write_bytecode = "so"
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [0]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
