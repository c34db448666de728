"""A manager of the program's own, with a registered type."""
import multiprocessing
import sys
from multiprocessing import Pool
from multiprocessing.managers import BaseManager


class Counter:
    def __init__(self):
        self.total = 0

    def add(self, number):
        self.total += number
        return self.total

    def get(self):
        return self.total


class SharedManager(BaseManager):
    pass


SharedManager.register("Counter", Counter)


def work(task):
    counter, number = task
    return counter.add(number)


def main():
    with SharedManager() as manager:
        counter = manager.Counter()
        with Pool(1) as pool:
            print(sorted(pool.map(work, [(counter, 1), (counter, 2)])))
        print(counter.get())


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
