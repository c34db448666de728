"""Units, by name."""


class Units:
    factors = {"m": 1}


def convert(name):
    return Units.factors.get(name)
