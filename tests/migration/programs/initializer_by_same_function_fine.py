"""State that the initializer and main set by the same function."""
import multiprocessing
import sys
from multiprocessing import Pool

MODEL = None


def load(name):
    global MODEL
    MODEL = {"name": name}


def work(number):
    return MODEL["name"] * number


def main():
    load("m")
    with Pool(1, initializer=load, initargs=("m",)) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
