"""The same, imported by the script itself."""

import sys
import multiprocessing as mp
import plug
import reg


def work(s):
    return {k: f(s) for k, f in reg.HANDLERS.items()}


def main():
    with mp.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, ["a"]) == [{"up": "A"}])


if __name__ == "__main__":
    main()
