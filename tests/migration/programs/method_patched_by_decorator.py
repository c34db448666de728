"""A decorator replaces an attribute of a class as long as main runs."""

import multiprocessing
import sys
from unittest import mock


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
    return Service().price(item)


def run():
    with multiprocessing.Pool(1) as pool:
        print(pool.map(execute, ["pen"]))


@mock.patch.object(Service, "rate", 2)
def main():
    run()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
