"""Lists that main keeps sorted by functions of the standard library."""

import bisect
import heapq
import sys
from multiprocessing import get_context

LIMITS = [60, 70, 80]
WAITING = [3, 5]


def grade(score):
    return bisect.bisect(LIMITS, score), WAITING[0]


def main():
    bisect.insort(LIMITS, 90)
    heapq.heappush(WAITING, 1)
    with get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(grade, [55, 95]))


if __name__ == "__main__":
    main()
