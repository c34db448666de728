"""A cache that main fills, and each worker again: what that prints is printed again."""

import multiprocessing
import sys

_models = {}


def load(name):
    if name not in _models:
        print("loading", name, flush=True)
        _models[name] = name.upper()
    return _models[name]


def work(name):
    return load(name)[0]


def main(method):
    load("model")
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, ["model"]))


if __name__ == "__main__":
    main(sys.argv[1])
