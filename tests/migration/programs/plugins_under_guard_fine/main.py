"""A registry that is filled by an import under the main guard, and by the module of what workers run."""

import multiprocessing
import sys

from tasks import run

if __name__ == "__main__":
    import codecs_more

    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(run, ["abc"]))
