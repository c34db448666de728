"""A wrapper reads what main changes, but only around a function that main calls itself."""

import functools
import multiprocessing
import sys

SERVICES = {}


def signed(function):
    @functools.wraps(function)
    def call(*args):
        return function(*args, SERVICES.get("signature"))

    return call


def counted(function):
    @functools.wraps(function)
    def call(*args):
        return len(args), function(*args)

    return call


@signed
def close(text, sign):
    return f"{text} {sign}"


@counted
def deliver(user):
    return user.title()


def main(method):
    SERVICES["signature"] = "the team"
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(deliver, ["ada"]), close("yours,"))


if __name__ == "__main__":
    main(sys.argv[1])
