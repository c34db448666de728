"""The name of a handler of codec errors that main registers is not the one that the worker is given."""

import codecs
import multiprocessing
import sys


class Policy:
    def __init__(self, name):
        self.name = name

    def activated(self, name):
        codecs.register_error(name, lambda error: ("?", error.end))
        return self


def encoded(text, policy):
    return text.encode("latin-1", errors=policy)


def export(method, policy, rows):
    with multiprocessing.get_context(method).Pool(1) as pool:
        return [pool.apply_async(encoded, (row, policy.name)).get() for row in rows]


def main(method):
    print(export(method, Policy("replace").activated("marked"), ["a €"]))


if __name__ == "__main__":
    main(sys.argv[1])
