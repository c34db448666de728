"""What programs are composed from, as the TOML files of this package have it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Part = TypeVar("Part", bound=Struct)


class Hazard(Struct, frozen=True, forbid_unknown_fields=True):
    """A value that does not pickle, and its look-alike that does. `hazards.toml` says what the fields are."""

    family: str
    value: str
    fine: str
    before: str = ""
    fine_before: str = ""
    module: str = ""
    inside: Literal["", "method"] = ""


class Carrier(Struct, frozen=True, forbid_unknown_fields=True):
    """A way in which a value gets onto what is shipped. `carriers.toml` says what the fields are."""

    family: str
    code: str
    makes: str
    steps: str = ""
    attribute: str = ""
    shape: Literal["class", "dataset", "function", "value"] = "class"
    plain: bool = False


class Boundary(Struct, frozen=True, forbid_unknown_fields=True):
    """Code that pickles. `boundaries.toml` says what the fields are."""

    ships: str
    takes: Literal["dataset", "object", "callable", "any"]
    base: str = ""
    methods: str = ""
    module: str = ""
    makes_inside: bool = False
    slow: bool = False


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    """Where in a program something is shipped. `places.toml` says what the fields are."""

    code: str = ""
    named: str = ""
    guarded: str = "main()"


def _read(name: str, kind: type[Part]) -> dict[str, Part]:
    with Path(__file__).with_name(f"{name}.toml").open("rb") as file:
        return msgspec.convert(tomllib.load(file), dict[str, kind])  # type: ignore[valid-type]


HAZARDS = _read("hazards", Hazard)
CARRIERS = _read("carriers", Carrier)
BOUNDARIES = _read("boundaries", Boundary)
PLACES = _read("places", Place)
with Path(__file__).with_name("imports.toml").open("rb") as _file:
    IMPORTS: dict[str, str] = tomllib.load(_file)
LAYOUTS = ("one file", "two modules", "star import", "package", "dependency")
