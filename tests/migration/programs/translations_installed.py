"""`_` is installed by main."""

import gettext
import multiprocessing
import sys


def greet(name):
    return _("Hello") + f", {name}"


def main(method):
    gettext.install("program")
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(greet, ["Ann"]))


if __name__ == "__main__":
    main(sys.argv[1])
