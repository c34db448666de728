"""A warnings filter that the module sets, at import."""

import multiprocessing
import sys
import warnings

warnings.simplefilter("error")


def work(number):
    try:
        warnings.warn("careful", stacklevel=1)
    except UserWarning:
        return "raised"
    return "shown"


def main():
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
