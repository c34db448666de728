"""A registry that its module begins, and that a module fills which only main imports."""

import multiprocessing
import sys
from multiprocessing import Pool
from registry import find


def work(kind):
    return find(kind)


def main():
    import extra
    with Pool(1) as pool:
        print(pool.map(work, ["more"]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
