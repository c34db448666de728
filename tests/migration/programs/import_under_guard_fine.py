"""A worker uses modules that are imported at module level, too, or by itself, or that it may do without."""

import json
import multiprocessing
import sys


def area(radius):
    import math

    try:
        shown = pprint.pformat(radius)
    except NameError:
        shown = str(radius)
    return json.dumps([round(math.pi * radius**2, 2), shown])


if __name__ == "__main__":
    import json
    import math
    import pprint

    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(area, [1]), math.floor(2.5), pprint.pformat(1), json.dumps(1))
