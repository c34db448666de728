"""A worker uses a module that the main guard alone imports."""

import multiprocessing
import sys


def area(radius):
    return round(math.pi * radius**2, 2)


if __name__ == "__main__":
    import math

    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(area, [1]), math.floor(2.5))
