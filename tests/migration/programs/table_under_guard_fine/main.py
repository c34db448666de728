"""A table of another module of which the main guard fills a copy, and which it only reads."""

import heapq
import sys
from multiprocessing import get_context

import units


def to_metres(unit):
    return units.FACTORS.get(unit)


def add_old(table):
    table["mile"] = 1609


if __name__ == "__main__":
    factors = dict(units.FACTORS)
    add_old(factors)
    known = units.FACTORS
    print(heapq.nsmallest(1, known.values()), len(factors))
    with get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(to_metres, ["km", "mile"]))
