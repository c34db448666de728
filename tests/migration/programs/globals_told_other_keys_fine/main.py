"""Another key than what workers read."""

import multiprocessing
import sys

import settings


def bill(number):
    return number * settings.RATE


def main():
    settings.override({"currency": "EUR"})
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(bill, [1]), settings.CURRENCY)


if __name__ == "__main__":
    main()
