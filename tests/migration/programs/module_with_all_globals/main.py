"""A number that main sets in a module which looks at its globals elsewhere."""

import multiprocessing
import sys

import settings


def main(method):
    settings.scale = 3
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(settings.scaled, [2]))


if __name__ == "__main__":
    main(sys.argv[1])
