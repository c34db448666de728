"""A number of another module that main replaces by a patch, which it starts and never stops."""

import multiprocessing
import sys
from unittest import mock

import settings


def main(method):
    mock.patch.object(settings, "scale", 3).start()
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(settings.scaled, [2]))


if __name__ == "__main__":
    main(sys.argv[1])
