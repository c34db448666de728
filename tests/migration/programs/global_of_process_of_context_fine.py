"""The same, with the value handed over."""

import multiprocessing
import sys

context = multiprocessing.get_context(sys.argv[1])
limit = 40


class Checker(context.Process):
    longest = 10

    def __init__(self, found, limit):
        super().__init__()
        self.found = found
        self.limit = limit

    def run(self):
        self.found.put(self.limit)


def main():
    global limit
    limit = 80
    found = context.Queue()
    checker = Checker(found, limit)
    checker.start()
    print(found.get())
    checker.join()


if __name__ == "__main__":
    main()
