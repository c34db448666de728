"""Main changes globals when the pool has its workers already: they are as at import in all of them."""

import multiprocessing
import sys

MODE = "plain"
SEEN = set()


def label(number):
    return f"{MODE}-{number}", sorted(SEEN)


def main():
    global MODE
    pool = multiprocessing.get_context(sys.argv[1]).Pool(1)
    MODE = "fancy"
    print(pool.map(label, [1, 2]), MODE)
    pool.close()
    pool.join()
    SEEN.update("ab")
    print(sorted(SEEN))


if __name__ == "__main__":
    main()
