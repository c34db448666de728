"""The arguments of the command line go along, also where main replaces the list."""

import multiprocessing
import sys


def flags():
    return sorted(each for each in sys.argv[1:] if each.startswith("--"))


def work(_):
    return flags()


def pick_tool():
    words = ["scale", "--factor=2"]
    sys.argv = [f"{sys.argv[0]} {words[0]}", *words[1:]]


def main():
    pick_tool()
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [0]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
