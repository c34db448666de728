"""A class that main makes by `type()`, and that notes itself."""

import multiprocessing
import sys

import checks


def make_range_check(low, high):
    def run(self, value):
        return low <= value <= high

    return type("InRange", (checks.Check,), {"run": run})


def main(method):
    make_range_check(5, 9)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(checks.run_check, [("Positive", 3), ("InRange", 3)]))


if __name__ == "__main__":
    main(sys.argv[1])
