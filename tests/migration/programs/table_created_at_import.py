"""The module creates a table in a database at import."""

import multiprocessing
import sqlite3
import sys

with sqlite3.connect("data.db") as database:
    database.execute("CREATE TABLE prices (name TEXT)")


def work():
    print("work")


def main(method):
    process = multiprocessing.get_context(method).Process(target=work)
    process.start()
    process.join()


if __name__ == "__main__":
    main(sys.argv[1])
