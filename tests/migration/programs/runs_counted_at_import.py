"""The module counts its runs in a file at import."""

import multiprocessing
import os
import sys

RUNS = 0
if os.path.exists("runs.txt"):
    with open("runs.txt") as file:
        RUNS = int(file.read())
with open("runs.txt", "w") as file:
    file.write(str(RUNS + 1))


def work(number):
    return RUNS


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
