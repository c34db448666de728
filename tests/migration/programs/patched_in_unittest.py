"""A test patches a table while its workers read it."""

import multiprocessing
import sys
import unittest
from unittest import mock

CLOCK = {"hour": 3}


def hour(_):
    return CLOCK["hour"]


class Clock(unittest.TestCase):
    def test_hour(self):
        with mock.patch.dict(CLOCK, {"hour": 7}):
            with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
                print(pool.map(hour, [1]))


if __name__ == "__main__":
    unittest.main(argv=["clock"])
