"""A plugin that main imports by its name, and that a decorator registers."""

import sys
import importlib
import multiprocessing as mp
import reg


def work(s):
    return {k: f(s) for k, f in reg.HANDLERS.items()}


def main():
    importlib.import_module("plug")
    with mp.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, ["a"]) == [{"up": "A"}])


if __name__ == "__main__":
    main()
