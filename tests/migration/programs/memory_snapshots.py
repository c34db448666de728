"""Workers take snapshots of memory, whose tracing main starts."""

import multiprocessing
import sys
import tracemalloc


def grown(number):
    before = tracemalloc.take_snapshot()
    rows = [0] * number
    after = tracemalloc.take_snapshot()
    return sum(each.size_diff for each in after.compare_to(before, "filename")) > len(rows)


def main(method):
    tracemalloc.start()
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(grown, [100000]))


if __name__ == "__main__":
    main(sys.argv[1])
