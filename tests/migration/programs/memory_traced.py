"""The tracing of memory is started by main."""

import multiprocessing
import sys
import tracemalloc


def used(number):
    rows = [0] * number
    current, peak = tracemalloc.get_traced_memory()
    return peak > len(rows)


def main(method):
    tracemalloc.start()
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(used, [1000]))


if __name__ == "__main__":
    main(sys.argv[1])
