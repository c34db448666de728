"""A counter that a module-level object makes in its constructor and that workers are given is shared."""

import multiprocessing
import sys


class Meter:
    def __init__(self):
        self._done = multiprocessing.Value("i", 0)

    def tick(self, amount):
        with self._done.get_lock():
            self._done.value += amount

    def share(self, done):
        self._done = done

    @property
    def done(self):
        return self._done.value


meter = Meter()


def begin(done):
    meter.share(done)


def work(number):
    meter.tick(number)
    return number


def main(method):
    context = multiprocessing.get_context(method)
    total = context.Value("i", 0)
    with context.Pool(1, initializer=begin, initargs=(total,)) as pool:
        pool.map(work, [1, 2])
    print(total.value)


if __name__ == "__main__":
    main(sys.argv[1])
