"""An event of threads, set before the pool starts."""
import multiprocessing
import sys
import threading
from concurrent.futures import ProcessPoolExecutor

LOADED = threading.Event()


def load():
    LOADED.set()


def work(number):
    LOADED.wait()
    return number + 1


def main():
    load()
    with ProcessPoolExecutor(2) as pool:
        print(list(pool.map(work, range(3))))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
