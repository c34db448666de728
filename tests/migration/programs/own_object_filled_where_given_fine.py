"""Main fills a registry that it makes itself, and workers read the one of their process."""

import multiprocessing
import sys


class Registry:
    _instance = None

    def __init__(self):
        self.names = {}

    @classmethod
    def instance(cls):
        if cls._instance is None:
            cls._instance = cls()
        return cls._instance

    def put(self, key, name):
        self.names[key] = name


def fill(registry, names):
    for key, name in names.items():
        registry.put(key, name)


def look_up(key):
    return Registry.instance().names.get(key)


def main(method):
    registry = Registry()
    fill(registry, {1: "one"})
    print(registry.names)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(look_up, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
