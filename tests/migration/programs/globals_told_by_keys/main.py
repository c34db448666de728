"""A setter gives a module the values of a dict whose keys main writes out."""

import multiprocessing
import sys

import settings


def bill(number):
    return number * settings.RATE


def main():
    settings.override({"rate": 0.5})
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(bill, [1]), settings.CURRENCY)


if __name__ == "__main__":
    main()
