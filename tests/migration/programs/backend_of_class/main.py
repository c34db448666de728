"""A class attribute set through cls, and a cache that each process fills the same way."""
import multiprocessing
import sys
from multiprocessing import Pool

from models import Model


def work(number):
    return Model.of("m").run(number)


def main():
    Model.use("gpu")
    with Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
