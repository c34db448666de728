"""The same as the module is imported."""

import multiprocessing
import sys


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


setattr(Service, "lookup", offline)


def run():
    with multiprocessing.Pool(1) as pool:
        print(pool.map(execute, ["pen"]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    run()
