"""A function that a context manager of the program replaces by its name for a trial run, entered by a stack."""

import contextlib
import multiprocessing
import sys

import rates


@contextlib.contextmanager
def swapped(owner, name, value):
    old = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, old)


def price(amount):
    return amount * rates.rate()


def trial_rate():
    return 2


def main(method):
    with contextlib.ExitStack() as stack:
        stack.enter_context(swapped(rates, "rate", value=trial_rate))
        with multiprocessing.get_context(method).Pool(1) as pool:
            print(pool.map(price, [10]))


if __name__ == "__main__":
    main(sys.argv[1])
