"""A name that main adds to `builtins` by its `__dict__`, and that a worker uses."""

import builtins
import sys
from multiprocessing import get_context


def message(number):
    return _("found {}").format(number)


def main():
    builtins.__dict__["_"] = str.upper
    with get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(message, [1]))


if __name__ == "__main__":
    main()
