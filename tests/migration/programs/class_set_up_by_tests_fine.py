"""A table that tests set up on their class, and only the main process reads."""

import multiprocessing
import sys
import unittest


class RatesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rates = {"USD": 2}

    @staticmethod
    def convert(rate):
        return rate * 2

    def test_parallel(self):
        with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
            print(pool.map(self.convert, [self.rates["USD"]]))


if __name__ == "__main__":
    outcome = unittest.TextTestRunner(verbosity=0).run(unittest.defaultTestLoader.loadTestsFromTestCase(RatesTest))
    for _, error in outcome.errors:
        sys.exit(error)
