"""A class that is asked for its subclasses: main alone imports the module that defines one."""

import multiprocessing
import sys

from base import names


def main(method):
    import style  # noqa: F401

    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(names, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
