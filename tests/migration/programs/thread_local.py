"""A thread's own value that only main sets."""

import multiprocessing
import sys
import threading

LOCAL = threading.local()


def work(number):
    return LOCAL.user


def main():
    LOCAL.user = "somebody"
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
