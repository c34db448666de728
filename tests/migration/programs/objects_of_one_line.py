"""Several calls on several objects in one line."""
import queue
import multiprocessing
import sys
from multiprocessing import Pool

NAMES, TABLE, TASKS = [], {}, queue.Queue()
COUNTS = {"a": 1}; LIMITS = {"a": 2}


def fill():
    NAMES.append("x"); TABLE["x"] = 1; TASKS.put(1); COUNTS["a"] += 1; LIMITS.update(a=5)


def work(number):
    return LIMITS["a"] * COUNTS["a"]


def main():
    fill()
    with Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
