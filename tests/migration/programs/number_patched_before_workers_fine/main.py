"""A number of another module that main replaces by a patch, for what it does before it starts workers."""

import multiprocessing
import sys
from unittest import mock

import settings


def main(method):
    with mock.patch.object(settings, "scale", 3), mock.patch("sys.argv", []):
        print(settings.scaled(2))
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(settings.scaled, [2]))


if __name__ == "__main__":
    main(sys.argv[1])
