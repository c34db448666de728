"""A variable of the environment that is the default of a parameter which workers are given."""

import multiprocessing
import os
import sys

HOST = os.environ.get("SERVICE_HOST", "localhost")


def address(path, host=HOST):
    return f"http://{host}/{path}"


def ask(path):
    return address(path, "10.0.0.7")


def main(method):
    os.environ["SERVICE_HOST"] = "10.0.0.9"
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(ask, ["health"]))


if __name__ == "__main__":
    main(sys.argv[1])
