"""Only the main process prints a line."""

import multiprocessing
import sys


def work(number):
    return number


def main(method):
    print("tool 1.0", flush=True)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
