"""A database in memory that main fills."""

import multiprocessing
import sqlite3
import sys

CONNECTION = sqlite3.connect(":memory:")


def price(drink):
    return CONNECTION.execute("SELECT price FROM prices WHERE drink = ?", (drink,)).fetchone()


def main(method):
    CONNECTION.executescript("CREATE TABLE prices (drink, price); INSERT INTO prices VALUES ('tea', 2);")
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(price, ["tea"]))


if __name__ == "__main__":
    main(sys.argv[1])
