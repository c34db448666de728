"""A module that workers make for themselves before they import it."""

import multiprocessing
import sys
import types


def load(text):
    module = types.ModuleType("rates_of_today")
    exec(text, module.__dict__)
    sys.modules[module.__name__] = module
    return module


def tariff(weight):
    load("BASE = 4")
    import rates_of_today

    return rates_of_today.BASE * weight


def main(method):
    load("BASE = 4")
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(tariff, [2]))


if __name__ == "__main__":
    main(sys.argv[1])
