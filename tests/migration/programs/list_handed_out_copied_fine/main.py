"""A copy of a list in a dict of another module, which main extends."""

import multiprocessing
import sys

import hooks


def transform(text):
    return hooks.run("pre", text)


def main(method):
    own = list(hooks.chain("pre"))
    own.append(str.strip)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(len(own), pool.map(transform, [" move "]))


if __name__ == "__main__":
    main(sys.argv[1])
