"""Threads of one worker wait for one another by an event of the module."""
import multiprocessing
import sys
import threading
from multiprocessing import Pool

LOADED = threading.Event()


def load():
    LOADED.set()


def work(number):
    threading.Thread(target=load).start()
    LOADED.wait()
    return number


def main():
    with Pool(2) as pool:
        print(pool.map(work, range(3)))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
