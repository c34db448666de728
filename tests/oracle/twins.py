"""Ways to make a program right that ships a hazard."""

from __future__ import annotations

from textwrap import indent
from typing import Literal

from msgspec import Struct

from .parts import Boundary, Carrier, Hazard, Place

_LEFT_OUT = """
def __getstate__(self):
    state = self.__dict__.copy()
    state["{attribute}"] = None
    return state
"""
_LEFT_OUT_OF_NEW = """
def __getstate__(self):
    return {{name: value for name, value in self.__dict__.items() if name != "{attribute}"}}
"""
_CHECKED = """
try:
    pickle.dumps({here})
except Exception:
    print("stays here")
else:
{ships}
"""


class Twin(Struct, frozen=True):
    """What is changed in the program: the value, the methods of what is shipped, or the lines that ship it.

    `needs` is what can be told of what is shipped: the attribute that holds the value, its name, workers to turn off.
    `module` defines what the lines need. `plain` says what is done with an object of a class that holds nothing: it is
    shipped in place of the other.
    """

    value: Literal["hazard", "fine"] = "hazard"
    hook: str = ""
    before: str = ""
    after: str = ""
    checked: bool = False
    late: bool = False
    plain: Literal["", "shipped"] = ""
    workers: str = "2"
    module: str = ""
    needs: tuple[Literal["attribute", "named", "workers", "work", "own state"], ...] = ()

    def fits(self, hazard: Hazard, carrier: Carrier, boundary: Boundary, place: Place) -> bool:
        """Whether the twin can be made of a program of these parts."""
        has = {
            "attribute": bool(carrier.attribute)
            and carrier.shape == "class"
            and not carrier.attribute.startswith("_R"),
            "named": place.named == "made" and not boundary.makes_inside and "OBJECT" in boundary.ships,
            "workers": "WORKERS" in boundary.ships,
            "work": "WORK" in boundary.methods.split() and hazard.inside == "",
            "own state": bool(carrier.attribute)
            and carrier.shape == "class"
            and boundary.base not in ("multiprocessing.Process", "torch.nn.Module"),
        }
        plain = not self.plain or (boundary.takes != "object" and "OBJECT" in boundary.ships)
        return plain and all(has[need] for need in self.needs)

    def methods(self, carrier: Carrier) -> str:
        """Methods that what is shipped has more."""
        return self.hook.format(attribute=carrier.attribute).strip()

    def around(self, ships: str, here: str, carrier: Carrier) -> str:
        """The lines that ship `here`, with what is done about it."""
        names = {"here": here, "attribute": carrier.attribute}
        if self.checked:
            return _CHECKED.format(ships=indent(ships, "    "), **names).strip()
        return "\n".join(filter(None, [self.before.format(**names), ships, self.after.format(**names)]))


TWINS = {
    "": Twin(),
    "converted": Twin(value="fine"),
    "left out of the state": Twin(hook=_LEFT_OUT, needs=("own state",)),
    "left out of a new state": Twin(hook=_LEFT_OUT_OF_NEW, needs=("own state",)),
    "opened in the worker": Twin(late=True, needs=("attribute", "work")),
    "no workers": Twin(workers="0", needs=("workers",)),
    "no workers by a flag": Twin(workers="0 if SERIAL else 2", module="SERIAL = True", needs=("workers",)),
    "never shipped": Twin(plain="shipped"),
    "dropped before": Twin(before="{here}.{attribute} = None", needs=("attribute", "named")),
    "restored after": Twin(
        before="saved, {here}.{attribute} = {here}.{attribute}, None",
        after="{here}.{attribute} = saved",
        needs=("attribute", "named"),
    ),
    "tried first": Twin(checked=True, needs=("named",)),
}
