"""A class attribute that main sets, beside a helper that sets attributes of any name and is not called."""

import multiprocessing
import sys


class Images:
    size = 2

    def pixels(self, number):
        return (self.size,), number


def configure(cls, **options):
    for name, value in options.items():
        setattr(cls, name, value)


def main(method):
    Images.size = 3
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(Images().pixels, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
