"""A module that main puts in place itself, and that workers import."""

import multiprocessing
import sys
import types


def price(symbol):
    import quotes_of_stocks

    return quotes_of_stocks.latest(symbol)


def install():
    stub = types.ModuleType("quotes_of_stocks")
    stub.latest = len
    sys.modules["quotes_of_stocks"] = stub


def main(method):
    install()
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(price, ["ABC"]))


if __name__ == "__main__":
    main(sys.argv[1])
