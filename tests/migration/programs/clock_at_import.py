"""Workers tell how long ago the program started."""

import multiprocessing
import sys
import time

START = time.time()


def work(number):
    return time.time() - START


def main(method):
    time.sleep(2)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1])[0] >= 2)


if __name__ == "__main__":
    main(sys.argv[1])
