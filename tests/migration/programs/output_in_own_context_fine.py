"""A context manager of the program's own holds standard output back, but not while workers run."""

import contextlib
import io
import multiprocessing
import sys


@contextlib.contextmanager
def quiet():
    with contextlib.redirect_stdout(io.StringIO()):
        yield


def fit(number):
    print("fitting", number, flush=True)
    return number


def main(method):
    with quiet():
        fit(0)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(fit, [1, 2]))


if __name__ == "__main__":
    main(sys.argv[1])
