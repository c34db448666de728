"""The precision of decimal numbers, which only main sets."""

import decimal
import multiprocessing
import sys


def work(number):
    return str(decimal.Decimal(1) / decimal.Decimal(3))


def main():
    decimal.getcontext().prec = 4
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
