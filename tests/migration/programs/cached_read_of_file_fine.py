"""A cached function reads a file that nobody writes again."""

import functools
import multiprocessing
import sys

RATES = "rates.txt"


@functools.lru_cache(maxsize=None)
def rate():
    with open(RATES) as file:
        return int(file.read())


def value(amount):
    return amount * rate()


def main():
    with open(RATES, "w") as file:
        file.write("2")
    print(value(1), end=" ")
    with multiprocessing.Pool(1) as pool:
        print(pool.map(value, [10, 20]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
