"""A method that the main guard replaces by a lambda."""

import multiprocessing
import sys


class Clock:
    def now(self):
        return 1


def work(number):
    return Clock().now()


if __name__ == "__main__":
    Clock.now = lambda clock: 2
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, [1]))
