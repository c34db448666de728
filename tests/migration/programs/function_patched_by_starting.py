"""A function is replaced until the patch is stopped."""

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
    return len(item) + today()


def run():
    with multiprocessing.Pool(1) as pool:
        print(pool.map(execute, ["pen"]))


def main():
    patcher = patch(__name__ + ".today", lambda: 6)
    patcher.start()
    run()
    patcher.stop()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
