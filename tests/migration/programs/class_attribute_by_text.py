"""An attribute of a base class that main changes, and that texts of objects tell in the worker."""

import multiprocessing
import sys


class Amount:
    currency = "XXX"

    @classmethod
    def localize(cls, currency):
        cls.currency = currency

    def __init__(self, value):
        self.value = value

    def __str__(self):
        return f"{self.value} {self.currency}"


class Refund(Amount):
    def __repr__(self):
        return f"-{self}"


def write(amount):
    return f"{amount}"


class Ledger:
    def __init__(self):
        self.amounts = []

    def add(self, amount):
        self.amounts.append(amount)

    def written(self, method):
        with multiprocessing.get_context(method).Pool(1) as pool:
            return pool.map(write, self.amounts)


def main(method):
    Amount.localize("NOK")
    ledger = Ledger()
    ledger.add(Refund(5))
    print(ledger.written(method))


if __name__ == "__main__":
    main(sys.argv[1])
