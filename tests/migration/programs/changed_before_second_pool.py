"""Main changes a global between two pools: the workers of the second one have it only under fork."""

import multiprocessing
import sys

SEEN = set()


def seen(number):
    return number in SEEN


def main():
    context = multiprocessing.get_context(sys.argv[1])
    with context.Pool(1) as pool:
        print(pool.map(seen, [1, 2]))
    SEEN.update([1, 2])
    with context.Pool(1) as pool:
        print(pool.map(seen, [1, 2]))


if __name__ == "__main__":
    main()
