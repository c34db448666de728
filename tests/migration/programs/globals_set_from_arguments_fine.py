"""Globals that a function sets to what it is given, in main, and in workers that get them from there."""

import multiprocessing
import sys

done = None
total = None


def share(*counters):
    global done, total
    done, total = counters


def count(number):
    with done.get_lock():
        done.value += 1
    with total.get_lock():
        total.value += number


def main(method):
    context = multiprocessing.get_context(method)
    share(context.Value("i", 0), context.Value("i", 0))
    with context.Pool(2, initializer=share, initargs=(done, total)) as pool:
        pool.map(count, [1, 2, 3])
    print(done.value, total.value)


if __name__ == "__main__":
    main(sys.argv[1])
