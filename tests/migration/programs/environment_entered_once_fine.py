"""A context sets a variable of the environment around the only pool."""

import multiprocessing
import os
import sys


class Stage:
    def __init__(self, url):
        self.url = url

    def __enter__(self):
        os.environ["STORE"] = self.url

    def __exit__(self, *error):
        os.environ.pop("STORE", None)


def fetch(key):
    return os.environ.get("STORE", "none") + key


def download(method):
    with Stage("raw/"):
        with multiprocessing.get_context(method).Pool(1) as pool:
            return pool.map(fetch, ["a"])


def main(method):
    print(download(method))


if __name__ == "__main__":
    main(sys.argv[1])
