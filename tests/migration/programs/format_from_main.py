"""A worker formats with a number of digits that main alone has set."""

import multiprocessing
import sys

DIGITS = 1


def shown(share):
    return f"{share:.{DIGITS}f}"


if __name__ == "__main__":
    DIGITS = 4
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(shown, [1 / 3]))
