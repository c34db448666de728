"""A store with a database in memory, one for each process: main fills it."""

import multiprocessing
import sqlite3
import sys


class Store:
    _shared = None

    def __init__(self, path=":memory:"):
        self.database = sqlite3.connect(path)
        self.database.execute("CREATE TABLE prices (drink, price)")

    @classmethod
    def shared(cls):
        if cls._shared is None:
            cls._shared = cls()
        return cls._shared

    def load(self, rows):
        with self.database:
            self.database.executemany("INSERT INTO prices VALUES (?, ?)", rows)

    def price(self, drink):
        return self.database.execute("SELECT price FROM prices WHERE drink = ?", (drink,)).fetchone()


def price(drink):
    return Store.shared().price(drink)


def main(method):
    Store.shared().load([("tea", 2)])
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(price, ["tea"]))


if __name__ == "__main__":
    main(sys.argv[1])
