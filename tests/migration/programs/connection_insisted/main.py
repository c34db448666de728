"""A connection that main makes, and without which workers raise."""

import sys
import multiprocessing as mp
import db


def work(_):
    return db.query()


def main():
    db.connect("x://")
    with mp.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, [0]))


if __name__ == "__main__":
    main()
