"""A module that main makes from a text under a name that it is told, and that workers import."""

import importlib
import multiprocessing
import sys
import types


def tariff(weight):
    rates = importlib.import_module("rates_of_today")
    return rates.BASE * weight


def load(name, text):
    module = types.ModuleType(name)
    exec(text, module.__dict__)
    sys.modules[name] = module
    return module


def main(method):
    load("rates_of_today", "BASE = 4")
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(tariff, [2]))


if __name__ == "__main__":
    main(sys.argv[1])
