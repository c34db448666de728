"""Plugins that main imports by the names of a list, and that put themselves into a table."""

import importlib
import multiprocessing
import sys

from core import HANDLERS


def load():
    for name in ["plug"]:
        importlib.import_module(name)


def work(name):
    return HANDLERS.get(name)


if __name__ == "__main__":
    load()
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, ["plug"]))
