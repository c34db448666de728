"""A list that main asks by functions of the standard library, and copies that it changes by them."""

import bisect
import heapq
import sys
from multiprocessing import get_context

LIMITS = [60, 70, 80]


def grade(score):
    return bisect.bisect(LIMITS, score)


def main():
    limits = list(LIMITS)
    bisect.insort(limits, 90)
    print(heapq.nlargest(1, LIMITS), bisect.bisect_left(LIMITS, 65), limits)
    with get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(grade, [55, 95]))


if __name__ == "__main__":
    main()
