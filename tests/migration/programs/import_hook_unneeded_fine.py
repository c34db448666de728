"""Modules that an import hook makes, which workers do not need."""

import importlib
import importlib.abc
import importlib.util
import multiprocessing
import sys

RATES = {"rates_vat": 2, "rates_duty": 3}


class Rates(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_loader(name, self) if name in RATES else None

    def exec_module(self, module):
        module.rate = RATES[module.__name__]


def install():
    sys.meta_path.append(Rates())


def due(kind):
    import json

    return json.dumps(kind)


def main(method):
    install()
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(due, ["vat"]))


if __name__ == "__main__":
    main(sys.argv[1])
