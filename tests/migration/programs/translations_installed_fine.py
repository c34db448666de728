"""`_` is installed when the module is imported."""

import gettext
import multiprocessing
import sys

gettext.install("program")


def greet(name):
    return _("Hello") + f", {name}"


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(greet, ["Ann"]))


if __name__ == "__main__":
    main(sys.argv[1])
