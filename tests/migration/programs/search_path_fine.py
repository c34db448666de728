"""The search path of modules goes along."""

import multiprocessing
import sys


def work(number):
    return "/somewhere" in sys.path


def main():
    sys.path.append("/somewhere")
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
