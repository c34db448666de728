"""Countries by their codes."""

import sqlite3

connection = sqlite3.connect(":memory:")
connection.execute("CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT)")
connection.execute("INSERT INTO country VALUES ('IS', 'Iceland')")


def populate(rows):
    connection.executemany("INSERT INTO country VALUES (?, ?)", rows)


def count():
    return connection.execute("SELECT count(*) FROM country").fetchone()[0]


def name_of(code):
    row = connection.execute("SELECT name FROM country WHERE code = ?", (code,)).fetchone()
    return row[0] if row else None
