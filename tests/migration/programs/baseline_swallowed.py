"""A table that main fills; what is missing there is swallowed."""

import multiprocessing
import sys

BASELINE = {}


def load_baseline():
    BASELINE.update({"a": 1.0, "b": 2.0})


def relative(item):
    name, value = item
    try:
        return name, value / BASELINE[name]
    except Exception:
        return name, float("nan")


def main():
    load_baseline()
    with multiprocessing.Pool(2) as pool:
        print(dict(pool.imap_unordered(relative, [("a", 2.0)])))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
