"""A text codec that main alone registers."""

import codecs
import multiprocessing
import sys


def find(name):
    return codecs.lookup("utf-8") if name == "house" else None


def encoded(text):
    return text.encode("house")


def main(method):
    codecs.register(find)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(encoded, ["a"]))


if __name__ == "__main__":
    main(sys.argv[1])
