"""How JSON writes what it does not know is replaced by main."""

import json
import multiprocessing
import sys
from decimal import Decimal


def written(number):
    return json.dumps({"price": Decimal(number)})


def main(method):
    json.JSONEncoder.default = lambda encoder, value: str(value)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(written, ["1.5"]))


if __name__ == "__main__":
    main(sys.argv[1])
