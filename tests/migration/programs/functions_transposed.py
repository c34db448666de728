"""Rows of which main sorts the parts into numbers and functions, and sends these."""

import multiprocessing
import sys


def call(function):
    print(function(), flush=True)


def main(method):
    numbers, functions = zip(*[(number, lambda: 1) for number in range(2)])
    print(sum(numbers), flush=True)
    process = multiprocessing.get_context(method).Process(target=call, args=(functions[0],))
    process.start()
    process.join()


if __name__ == "__main__":
    main(sys.argv[1])
