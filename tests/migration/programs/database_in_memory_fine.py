"""A database in memory that every process fills."""

import multiprocessing
import sqlite3
import sys

CONNECTION = sqlite3.connect(":memory:")
CONNECTION.executescript("CREATE TABLE prices (drink, price); INSERT INTO prices VALUES ('tea', 2);")


def price(drink):
    return CONNECTION.execute("SELECT price FROM prices WHERE drink = ?", (drink,)).fetchone()


def main(method):
    print(price("tea"))
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(price, ["tea"]))


if __name__ == "__main__":
    main(sys.argv[1])
