"""Arrays that functions are given: they fill one that is main's own, and only read that of the module."""

import multiprocessing
import sys

import numpy as np

BASE = np.arange(3.0)


def fill(array, factor):
    np.multiply(np.arange(3), factor, out=array)


def scaled(array, factor):
    array = array * factor
    array += 1
    return array


def look(number):
    return BASE[number].item()


def main(method):
    own = np.empty(3)
    fill(own, 3)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(own.sum().item(), scaled(BASE, 2).sum().item(), pool.map(look, [1, 2]))


if __name__ == "__main__":
    main(sys.argv[1])
