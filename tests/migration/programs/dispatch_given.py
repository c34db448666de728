"""The function that a pool gets dispatches on a type, and main registers an implementation for it."""

import functools
import sys
from datetime import date
from multiprocessing import get_context


@functools.singledispatch
def dump(value):
    return repr(value)


def register_all():
    dump.register(date, lambda value: value.isoformat())


def main():
    register_all()
    with get_context(sys.argv[1]).Pool(1) as pool:
        print(list(pool.imap(dump, [date(2024, 2, 3), 1])))


if __name__ == "__main__":
    main()
