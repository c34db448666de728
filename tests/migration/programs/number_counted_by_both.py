"""Numbers that a function gives out in turn: main takes some before workers do."""

import multiprocessing
import sys

last = 0


def allocate():
    global last
    last += 1
    return last


def work(number):
    return allocate()


if __name__ == "__main__":
    reserved = [allocate() for _ in range(3)]
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(reserved, pool.map(work, [0]))
