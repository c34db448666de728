"""The locale, which only main sets."""

import locale
import multiprocessing
import sys


def work(number):
    return locale.getlocale(locale.LC_NUMERIC)


def main():
    locale.setlocale(locale.LC_ALL, "C.UTF-8")
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
