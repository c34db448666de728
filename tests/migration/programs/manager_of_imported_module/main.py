"""A manager that a class of an imported module holds."""

import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor

from state import take


def main():
    with ProcessPoolExecutor(1) as pool:
        print(list(pool.map(take, ["alice"], [2])))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
