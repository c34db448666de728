"""A process class of a context reads a global that main sets."""

import multiprocessing
import sys

context = multiprocessing.get_context(sys.argv[1])
limit = 40


class Checker(context.Process):
    longest = 10

    def __init__(self, found):
        super().__init__()
        self.found = found

    def run(self):
        self.found.put(limit)


def main():
    global limit
    limit = 80
    found = context.Queue()
    checker = Checker(found)
    checker.start()
    print(found.get())
    checker.join()


if __name__ == "__main__":
    main()
