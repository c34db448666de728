"""Globals that the module fills from a table, and that main fills again from options."""

import multiprocessing
import sys

for name, value in {"dpi": 72, "colour": "grey"}.items():
    globals()[name.upper()] = value


def render(page):
    return f"page {page}: {DPI} dpi, {COLOUR}"


def load(options):
    for name, value in options.items():
        globals()[name.upper()] = value


def main(method):
    load({"dpi": 300})
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(render, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
