"""A context variable that an object keeps, and that only main sets by a method of it."""

import multiprocessing
import sys
from contextvars import ContextVar


class Tracer:
    def __init__(self):
        self.span = ContextVar("span", default="root")

    def enter(self, name):
        self.span.set(name)

    def current(self):
        return self.span.get()


TRACER = Tracer()


def work(number):
    return TRACER.current()


def main():
    TRACER.enter("load")
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
