"""A method that only raises, which main replaces."""

import multiprocessing
import sys


class Client:
    def get(self, path):
        raise ConnectionError("cannot reach " + path)


def offline(self, path):
    return f"stub of {path}"


def fetch(path):
    return Client().get(path)


def main(method):
    Client.get = offline
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(fetch, ["/a"]))


if __name__ == "__main__":
    main(sys.argv[1])
