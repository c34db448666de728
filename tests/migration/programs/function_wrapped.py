"""A function that main binds to a wrapper with its name: a worker finds the wrapped one. Another gets other defaults."""

import functools
import sys
from multiprocessing import get_context


def traced(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        return "traced", function(*arguments)

    return wrapper


def step(number):
    return number + 1


def pad(word, width=3):
    return word.rjust(width, "0")


def main():
    global step
    step = traced(step)
    pad.__defaults__ = (5,)
    with get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(step, [1]), pool.map(pad, ["7"]))


if __name__ == "__main__":
    main()
