"""A field takes its default from settings that main has changed."""

import multiprocessing
import sys
from dataclasses import dataclass, field

SETTINGS = {"unit": "m"}


def unit():
    return SETTINGS["unit"]


@dataclass
class Length:
    value: float
    unit: str = field(default_factory=unit)


def show(value):
    length = Length(value)
    return f"{length.value} {length.unit}"


def main():
    SETTINGS["unit"] = "ft"
    with multiprocessing.Pool(1) as pool:
        print(pool.map(show, [1, 2]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
