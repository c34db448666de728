"""The same on the object."""

import multiprocessing
import sys

context = multiprocessing.get_context(sys.argv[1])
limit = 40


class Checker(multiprocessing.get_context(sys.argv[1]).Process):
    longest = 10

    def __init__(self, found):
        super().__init__()
        self.found = found

    def run(self):
        self.found.put(self.longest)


def main():
    found = context.Queue()
    checker = Checker(found)
    checker.longest = 80
    checker.start()
    print(found.get())
    checker.join()


if __name__ == "__main__":
    main()
