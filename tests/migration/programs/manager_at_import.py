"""A manager that the script starts when it is imported."""

import multiprocessing
import sys

manager = multiprocessing.get_context(sys.argv[1]).Manager()
seen = manager.dict()


def work(number):
    seen[number] = number * number


def main():
    with multiprocessing.Pool(1) as pool:
        pool.map(work, [1, 2])
    print(dict(seen))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
