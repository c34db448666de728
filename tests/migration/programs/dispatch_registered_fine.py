"""Implementations that each process registers for a function which dispatches on a type."""

import functools
import sys
from datetime import date
from multiprocessing import get_context


@functools.singledispatch
def dump(value):
    return repr(value)


@dump.register
def dump_date(value: date):
    return value.isoformat()


dump.register(int, lambda value: value + 1)


def render(value):
    return dump(value)


def main():
    print(dump.registry[int](1))
    with get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(render, [date(2024, 2, 3), 1]))


if __name__ == "__main__":
    main()
