"""A copy of an object of another module that main changes by a variable of its own."""

import copy
import multiprocessing
import sys

import state


def tell(number):
    return state.CURRENT.name, state.CURRENT.tags


def select(name):
    tenant = copy.deepcopy(state.CURRENT)
    tenant.name = name
    tenant.tags.append("paid")
    return tenant


def main(method):
    print(select("globex").name)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(tell, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
