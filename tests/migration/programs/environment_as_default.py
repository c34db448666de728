"""A variable of the environment that is the default of a parameter, and that main sets later."""

import multiprocessing
import os
import sys


def address(path, host=os.environ.get("SERVICE_HOST", "localhost")):
    return f"http://{host}/{path}"


def main(method):
    os.environ["SERVICE_HOST"] = "10.0.0.9"
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(address, ["health"]))


if __name__ == "__main__":
    main(sys.argv[1])
