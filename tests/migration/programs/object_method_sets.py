"""An object of the module that main configures by a method."""

import multiprocessing
import sys

class State:
    def __init__(self):
        self.level = 1

    def configure(self, level):
        self.level = level


STATE = State()


def work(number):
    return STATE.level


def main():
    STATE.configure(2)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
