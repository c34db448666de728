"""A copy of the dict of another module, which main changes."""

import multiprocessing
import sys

import config


def pad(word):
    return word.ljust(config.get("width"), config.get("fill"))


def main(method):
    config.current()["width"] = 6
    values = config.current()
    values.update(fill="-")
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(pad, ["ab"]))


if __name__ == "__main__":
    main(sys.argv[1])
