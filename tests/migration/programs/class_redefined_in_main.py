"""A class that main replaces by one that derives from it."""

import multiprocessing
import sys


class Reader:
    def read(self):
        return 1


def work(number):
    return Reader().read()


def main(method):
    global Reader

    class Fast(Reader):
        def read(self):
            return 2

    Reader = Fast
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
