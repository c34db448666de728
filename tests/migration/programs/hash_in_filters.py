"""Filters that main fills with hashes of texts, and in which a worker looks texts up."""

import multiprocessing
import sys


class Filter:
    def __init__(self):
        self.bits = set()

    def add(self, key):
        self.bits.add(hash(key) % 1000003)

    def __contains__(self, key):
        return hash(key) % 1000003 in self.bits


def filled(keys):
    filters = [Filter(), Filter()]
    for place, key in enumerate(keys):
        filters[place % 2].add(key)
    return filters


def is_known(filters, key):
    return any(key in part for part in filters)


def main(method):
    jobs = [(filled(["ann", "bob"]), "bob")]
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.starmap(is_known, jobs))


if __name__ == "__main__":
    main(sys.argv[1])
