"""An object of another module that main changes by a variable of its own."""

import multiprocessing
import sys

import state


def tell(number):
    return state.CURRENT.name, state.CURRENT.tags


def select(name):
    tenant = state.CURRENT
    tenant.name = name
    tenant.tags.append("paid")


def main(method):
    select("globex")
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(tell, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
