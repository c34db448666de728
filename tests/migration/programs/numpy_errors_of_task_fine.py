"""The task sets numpy's errors for itself."""
import numpy as np
import multiprocessing
import sys
from multiprocessing import Pool


def work(number):
    with np.errstate(divide="ignore"):
        return float(np.float64(1) / np.float64(number))


def main():
    np.seterr(all="raise")
    with Pool(1) as pool:
        print(pool.map(work, [0]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
