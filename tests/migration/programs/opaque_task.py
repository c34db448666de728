"""A task that comes out of a file: nobody can tell from the code what it is."""

import multiprocessing
import sys
from importlib import import_module


def work(task):
    print(task)


def main():
    task = getattr(import_module("fractions"), "Fraction")(1, 2)
    process = multiprocessing.Process(target=work, args=(task,))
    process.start()
    process.join()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
