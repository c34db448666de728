"""A class that gives all modules another unit for a while."""

unit = "km"


class OtherUnit:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        global unit
        self.before = unit
        unit = self.name
        return self

    def __exit__(self, *error):
        global unit
        unit = self.before


def told(x):
    return f"{x} {unit}"
