"""The same by a path."""

import multiprocessing
import sys
from unittest.mock import patch


class Service:
    rate = 1

    def lookup(self, item):
        raise ConnectionError(f"no way to {item}")

    def price(self, item):
        return len(item) * self.rate


def offline(self, item):
    return 7


def today():
    return 5


def execute(item):
    return Service().lookup(item)


def run():
    with multiprocessing.Pool(1) as pool:
        print(pool.map(execute, ["pen"]))


def main():
    with patch("__main__.Service.lookup", offline):
        run()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
