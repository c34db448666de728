"""A module that the import puts in place, so that workers do so, too."""

import multiprocessing
import sys
import types


def install():
    stub = types.ModuleType("quotes_of_stocks")
    stub.latest = len
    sys.modules["quotes_of_stocks"] = stub


install()


def price(symbol):
    import quotes_of_stocks

    return quotes_of_stocks.latest(symbol)


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(price, ["ABC"]))


if __name__ == "__main__":
    main(sys.argv[1])
