"""A queue that is made at import, and only inherited by fork."""

import multiprocessing
import queue
import sys

RESULTS = multiprocessing.Queue()


def work(number):
    RESULTS.put(number)


def main():
    process = multiprocessing.Process(target=work, args=(5,))
    process.start()
    process.join()
    try:
        print(RESULTS.get(timeout=2))
    except queue.Empty:
        print("empty")


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
