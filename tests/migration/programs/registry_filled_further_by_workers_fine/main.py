"""A registry that workers fill further, too."""

import multiprocessing
import sys
from multiprocessing import Pool
from registry import find, load


def work(kind):
    return load() or find(kind)


def main():
    import extra
    with Pool(1) as pool:
        print(pool.map(work, ["more"]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
