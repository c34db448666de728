"""An attribute of a module that main sets for a preview, and puts back before the workers start."""

import multiprocessing
import sys

import settings


def preview():
    old = settings.level
    settings.level = 5
    try:
        print(settings.weigh(2))
    finally:
        settings.level = old


def main(method):
    preview()
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(settings.weigh, [2]))


if __name__ == "__main__":
    main(sys.argv[1])
