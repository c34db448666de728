"""Globals that the module fills from a table."""

import multiprocessing
import sys


def load(options):
    for name, value in options.items():
        globals()[name.upper()] = value


load({"dpi": 72, "colour": "grey"})


def render(page):
    return f"page {page}: {DPI} dpi, {COLOUR}"


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(render, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
