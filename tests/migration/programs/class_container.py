"""A container of a class that main fills."""

import multiprocessing
import sys

class Registry:
    known = {"a": 1}

    @classmethod
    def add(cls, name, value):
        cls.known[name] = value


def work(number):
    return sorted(Registry.known)


def main():
    Registry.add("b", 2)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
