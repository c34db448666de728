"""A warnings filter that only main sets."""

import multiprocessing
import sys
import warnings


def work(number):
    try:
        warnings.warn("careful", stacklevel=1)
    except UserWarning:
        return "raised"
    return "shown"


def main():
    warnings.simplefilter("error")
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
