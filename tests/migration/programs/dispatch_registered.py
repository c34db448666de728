"""An implementation that main registers for a function which dispatches on a type."""

import functools
import sys
from datetime import date
from multiprocessing import get_context


@functools.singledispatch
def dump(value):
    return repr(value)


def dump_date(value):
    return value.isoformat()


def render(value):
    return dump(value)


def main():
    dump.register(date, dump_date)
    with get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(render, [date(2024, 2, 3)]))


if __name__ == "__main__":
    main()
