"""The function that a pool gets dispatches on a type; implementations are registered at import and in workers."""

import functools
import sys
from datetime import date
from multiprocessing import get_context


@functools.singledispatch
def dump(value):
    return repr(value)


@functools.singledispatch
def show(value):
    return str(value)


@dump.register
def _(value: int):
    return f"int:{value}"


@show.register
def _(value: int):
    return f"{value:03}"


def register_all():
    dump.register(date, lambda value: value.isoformat())


def main():
    register_all()
    with get_context(sys.argv[1]).Pool(1, register_all) as pool:
        print(list(pool.imap(dump, [date(2024, 2, 3), 1])))
        print(list(pool.imap(show, ["a", 1])))


if __name__ == "__main__":
    main()
