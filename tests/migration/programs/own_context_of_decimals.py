"""The precision of decimals for the time of the pool."""
import decimal
import multiprocessing
import sys
from contextlib import contextmanager
from concurrent.futures import ProcessPoolExecutor


@contextmanager
def precision(digits):
    context = decimal.getcontext()
    before = context.prec
    context.prec = digits
    try:
        yield context
    finally:
        context.prec = before


def divide(pair):
    return str(decimal.Decimal(pair[0]) / pair[1])


def main():
    with precision(5):
        with ProcessPoolExecutor(1) as pool:
            print(list(pool.map(divide, [(1, 3)])))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
