"""A class that main defines in a function, and that notes itself."""

import multiprocessing
import sys

import checks


def main(method):
    class Even(checks.Check):
        def run(self, value):
            return value % 2 == 0

    print(Even().run(2))
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(checks.run_check, [("Positive", 3), ("Even", 3)]))


if __name__ == "__main__":
    main(sys.argv[1])
