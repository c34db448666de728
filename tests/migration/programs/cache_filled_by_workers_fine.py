"""A cache that workers alone fill, and what that prints."""

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
    with multiprocessing.get_context(method).Pool(1) as pool:
        found = pool.map(work, ["model"])
    print(found, load("other"))


if __name__ == "__main__":
    main(sys.argv[1])
