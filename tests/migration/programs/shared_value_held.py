"""A counter that a module-level object makes in its constructor is one of its own in each worker."""

import multiprocessing
import sys


class Meter:
    def __init__(self):
        self._done = multiprocessing.Value("i", 0)

    def tick(self, amount):
        with self._done.get_lock():
            self._done.value += amount

    @property
    def done(self):
        return self._done.value


meter = Meter()


def work(number):
    meter.tick(number)
    return number


def main():
    with multiprocessing.Pool(1) as pool:
        pool.map(work, [1, 2])
    print(meter.done)


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
