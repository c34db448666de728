"""A list in a dict of another module that main gets from a function, and extends."""

import multiprocessing
import sys

import hooks


def transform(text):
    return hooks.run("pre", text)


def install():
    pre = hooks.chain("pre")
    pre.append(str.strip)
    pre.extend([str.title])


def main(method):
    install()
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(transform, [" move "]))


if __name__ == "__main__":
    main(sys.argv[1])
