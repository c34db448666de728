"""A parser of configurations that main and each worker have read the same."""

import configparser
import multiprocessing
import sys

config = configparser.ConfigParser()


def load():
    config.read_string("[render]\ndpi = 300\n")


def shown(page):
    return config.getint("render", "dpi") * page


def main(method):
    load()
    with multiprocessing.get_context(method).Pool(1, initializer=load) as pool:
        print(pool.map(shown, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
