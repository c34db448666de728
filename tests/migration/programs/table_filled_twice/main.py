"""Tables that the import fills, and main as well."""

import multiprocessing
import sys

import tables


def look_up(name):
    return tables.ROWS.get(name), tables.config.sections()


def main(method):
    tables.ROWS["c"] = 3
    tables.config.read_dict({"more": {"key": "2"}})
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(look_up, ["c"]))


if __name__ == "__main__":
    main(sys.argv[1])
