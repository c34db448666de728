"""Main raises the recursion limit for itself; what workers run calls others, in a chain."""

import multiprocessing
import sys


class Leaf:
    def size(self):
        return 1


class Branch:
    def __init__(self):
        self.leaf = Leaf()

    def size(self):
        return self.leaf.size() + 1


def depth(tree):
    return 1 + max(map(depth, tree), default=0)


def nested(levels):
    tree = []
    for _ in range(levels):
        tree = [tree]
    return tree


def total(number):
    return number * measured(Branch())


def measured(branch):
    return branch.size()


def main(method):
    sys.setrecursionlimit(20_000)
    levels = depth(nested(1500))
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(levels, pool.map(total, [1, 2]))


if __name__ == "__main__":
    main(sys.argv[1])
