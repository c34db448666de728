"""Hashes of texts that only main takes, and how a class hashes its objects."""

import multiprocessing
import sys


class Key:
    def __init__(self, name):
        self.name = name

    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        return self.name == other.name


def shard(key):
    return hash(key) % 3


def is_known(key):
    return key in {Key("apple")}


def main(method):
    parts = {shard(name) for name in ("apple", "pear")}
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(is_known, [Key("apple"), Key("pear")]), len(parts) <= 2)


if __name__ == "__main__":
    main(sys.argv[1])
