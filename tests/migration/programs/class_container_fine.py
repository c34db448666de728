"""A registry that decorators fill, at import."""

import multiprocessing
import sys

class Registry:
    known = {"a": 1}

    @classmethod
    def add(cls, function):
        cls.known[function.__name__] = function
        return function


@Registry.add
def b():
    return 2


def work(number):
    return sorted(Registry.known)


def main():
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
