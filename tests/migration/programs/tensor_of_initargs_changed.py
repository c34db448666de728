import multiprocessing
import sys

import torch

_counts = None


def start(counts):
    global _counts
    _counts = counts


def count(number):
    _counts[number] += 1
    return number


def main():
    counts = torch.zeros(3)
    with multiprocessing.get_context(sys.argv[1]).Pool(1, initializer=start, initargs=(counts,)) as pool:
        pool.map(count, range(3))
    print(counts.tolist())


if __name__ == "__main__":
    main()
