"""An attribute of a module that is imported under another name, set under the main guard."""

import sys
import settings as s
import multiprocessing


def report(n):
    return "long %d" % n if s.verbose else "short %d" % n


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    s.verbose = True
    q = multiprocessing.Queue()
    with multiprocessing.Pool(1) as p:
        print(p.apply(report, (3,)))
