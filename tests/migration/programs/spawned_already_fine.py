"""Workers that are spawned whatever the default is see what they saw before."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

THEME = "plain"


def set_theme(name):
    global THEME
    THEME = name


def page(number):
    return f"{number} {THEME}"


def executor():
    return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))


def main():
    set_theme("dark")
    with executor() as pool:
        print(list(pool.map(page, [1])))


if __name__ == "__main__":
    main()
