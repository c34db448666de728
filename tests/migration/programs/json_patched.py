"""A function of the standard library is patched by main."""
import json
import multiprocessing
import sys
from multiprocessing import Pool

_dumps = json.dumps


def sorted_dumps(value, **options):
    options.setdefault("sort_keys", True)
    return _dumps(value, **options)


def patch():
    json.dumps = sorted_dumps


def work(value):
    return json.dumps(value)


def main():
    patch()
    with Pool(1) as pool:
        print(pool.map(work, [{"b": 1, "a": 2}]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
