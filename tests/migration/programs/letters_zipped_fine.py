"""Letters of texts, zipped, and the keys of a dict, as a list, are data."""

import multiprocessing
import sys


def shown(names, pairs, first):
    print(sorted(names), list(pairs), first, flush=True)


def main(method):
    stock, text = {"pear": 2, "fig": 5}, "abc"
    given = (list(stock), list(zip("ab", text)), text[0])
    process = multiprocessing.get_context(method).Process(target=shown, args=given)
    process.start()
    process.join()


if __name__ == "__main__":
    main(sys.argv[1])
