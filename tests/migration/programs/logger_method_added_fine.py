"""A method that the class of loggers gets at import."""

import logging
import multiprocessing
import sys

log = logging.getLogger(__name__)


def add_level():
    def trace(self, message, *values):
        self.log(5, message, *values)

    setattr(logging.Logger, "trace", trace)


add_level()


def fold(values):
    log.trace("folding %d values", len(values))
    return sum(values)


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(fold, [[1, 2]]))


if __name__ == "__main__":
    main(sys.argv[1])
