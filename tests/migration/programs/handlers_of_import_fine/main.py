"""Handlers of a registry that the import fills."""
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor

from registry import HANDLERS


def work(task):
    name, number = task
    return HANDLERS[name](number)


def main():
    with ProcessPoolExecutor(1) as pool:
        print(list(pool.map(work, [("double", 2)])))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
