"""A filter that main adds to the templates of the module."""

import multiprocessing
import sys

import jinja2

templates = jinja2.Environment(loader=jinja2.DictLoader({"row": "{{ name }}: {{ cents | money }}"}))


def money(cents):
    return f"{cents // 100}.{cents % 100:02d} EUR"


def render(item):
    name, cents = item
    return templates.get_template("row").render(name=name, cents=cents)


def main(method):
    templates.filters["money"] = money
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(render, [("tea", 250)]))


if __name__ == "__main__":
    main(sys.argv[1])
