"""Tables that only the import fills."""

import multiprocessing
import sys

import tables

tables.ROWS["c"] = 3
tables.config.read_dict({"more": {"key": "2"}})


def look_up(name):
    return tables.ROWS.get(name), tables.config.sections()


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(look_up, ["c"]))


if __name__ == "__main__":
    main(sys.argv[1])
