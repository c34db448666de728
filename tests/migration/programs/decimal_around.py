"""Main starts workers in a context of decimal numbers of its own."""

import decimal
import multiprocessing
import sys


def work(number):
    return str(decimal.Decimal(1) / number)


def main(method):
    with decimal.localcontext() as local:
        local.prec = 4
        with multiprocessing.get_context(method).Pool(1) as pool:
            print(pool.map(work, [3]))


if __name__ == "__main__":
    main(sys.argv[1])
