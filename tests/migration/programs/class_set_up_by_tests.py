"""A table that tests set up on their class before they run."""

import multiprocessing
import sys
import unittest


class RatesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rates = {"USD": 2}

    @staticmethod
    def convert(currency):
        return RatesTest.rates[currency]

    def test_parallel(self):
        with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
            print(pool.map(self.convert, ["USD"]))


if __name__ == "__main__":
    outcome = unittest.TextTestRunner(verbosity=0).run(unittest.defaultTestLoader.loadTestsFromTestCase(RatesTest))
    for _, error in outcome.errors:
        sys.exit(error)
