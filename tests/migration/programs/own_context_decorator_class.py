"""A context decorator of a class."""
import multiprocessing
import sys
from contextlib import ContextDecorator
from multiprocessing import Pool

DETERMINISTIC = False


class deterministic(ContextDecorator):
    def __enter__(self):
        global DETERMINISTIC
        self.before = DETERMINISTIC
        DETERMINISTIC = True
        return self

    def __exit__(self, *exc):
        global DETERMINISTIC
        DETERMINISTIC = self.before
        return False


def work(number):
    return number if DETERMINISTIC else -number


@deterministic()
def main():
    with Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
