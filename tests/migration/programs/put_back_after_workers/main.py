"""An attribute of a module that main puts back when the workers have ended."""

import multiprocessing
import sys

import settings


def weighed(method):
    old = settings.level
    settings.level = 5
    try:
        return in_workers(method)
    finally:
        settings.level = old


def in_workers(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        return pool.map(settings.weigh, [2])


if __name__ == "__main__":
    print(weighed(sys.argv[1]))
