"""A parser of configurations that main has read a file."""

import configparser
import multiprocessing
import sys

config = configparser.ConfigParser()


def shown(page):
    return config.getint("render", "dpi") * page


def main(method):
    config.read_string("[render]\ndpi = 300\n")
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(shown, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
