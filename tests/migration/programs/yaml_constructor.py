"""A constructor of YAML is added by main."""

import multiprocessing
import sys

import yaml


def loaded(text):
    return yaml.load(text, Loader=yaml.SafeLoader)


def main(method):
    yaml.add_constructor("!home", lambda loader, node: "/home/" + node.value, Loader=yaml.SafeLoader)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(loaded, ["!home ann"]))


if __name__ == "__main__":
    main(sys.argv[1])
