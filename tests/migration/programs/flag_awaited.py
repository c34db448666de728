"""Workers wait for a plain global that main has set before."""
import multiprocessing
import sys
import time
from multiprocessing import Pool

ready = False


def prepare():
    global ready
    ready = True


def work(number):
    while not ready:
        time.sleep(0.01)
    return number


def main():
    prepare()
    with Pool(2) as pool:
        print(pool.map(work, range(3)))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
