"""Options set several calls deep in other modules."""
import multiprocessing
import sys
from multiprocessing import Pool

from boot import boot
from state import option


def work(number):
    return number if option("mode") == "slow" else number * 10


def main():
    boot("fast")
    with Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
