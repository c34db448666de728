"""A decorator's wrapper hands the worker's function what main has put into a table."""

import functools
import multiprocessing
import sys

SERVICES = {}


def inject(**wanted):
    def decorate(function):
        @functools.wraps(function)
        def call(*args, **kwargs):
            for name, key in wanted.items():
                kwargs.setdefault(name, SERVICES.get(key))
            return function(*args, **kwargs)

        return call

    return decorate


@inject(sign="signature")
def deliver(user, sign):
    return f"{user} {sign}"


def main(method):
    SERVICES["signature"] = "the team"
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(deliver, ["ada"]))


if __name__ == "__main__":
    main(sys.argv[1])
