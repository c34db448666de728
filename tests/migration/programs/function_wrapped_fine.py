"""A name that main binds to another function, which crosses by its own; wrappers and defaults that each process has."""

import functools
import sys
from multiprocessing import get_context


def traced(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        return "traced", function(*arguments)

    return wrapper


def other(number):
    return number - 1


def step(number):
    return number + 1


@traced
def pad(word, width=3):
    return word.rjust(width, "0")


def cut(word, width=3):
    return word[:width]


cut.__defaults__ = (1,)


def main():
    global step
    step = other
    print(pad.__wrapped__.__defaults__)
    with get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(step, [1]), pool.map(pad, ["7"]), pool.map(cut, ["ab"]))


if __name__ == "__main__":
    main()
