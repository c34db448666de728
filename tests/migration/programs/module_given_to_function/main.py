"""A module that main gives to a function, which sets what it is told to."""

import multiprocessing
import sys

import params


def apply_to(module, values):
    for name, value in values.items():
        setattr(module, name, float(value))


def main(method):
    apply_to(params, {"amplitude": "2.5"})
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(params.level, [12]))


if __name__ == "__main__":
    main(sys.argv[1])
