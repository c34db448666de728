"""A connection that main keeps in a global."""

import multiprocessing
import sqlite3
import sys

connection = None


def connect(path):
    global connection
    connection = sqlite3.connect(path)
    connection.execute("create table if not exists words (word text)")


def count(word):
    cursor = connection.execute("select count(*) from words where word = ?", (word,))
    return cursor.fetchone()[0]


def main():
    connect(":memory:")
    connection.execute("insert into words values ('a')")
    with multiprocessing.Pool(1) as pool:
        print(pool.map(count, ["a", "b"]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
