"""A locale that main sets, and that workers ask for."""

import sys
import locale
import multiprocessing as mp


def work(_):
    return locale.setlocale(locale.LC_CTYPE)


def main():
    locale.setlocale(locale.LC_CTYPE, "C")
    with mp.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, [0]))


if __name__ == "__main__":
    main()
