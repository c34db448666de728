"""A table of another module that the main guard fills by another name."""

import sys
from multiprocessing import get_context

import units


def to_metres(unit):
    return units.FACTORS.get(unit)


def add_old(table):
    table["mile"] = 1609


if __name__ == "__main__":
    factors = units.FACTORS
    add_old(factors)
    with get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(to_metres, ["km", "mile"]))
