"""The commands, one per module, whose `command` is a click command.

They are found by looking into this package; modules whose name begins with an underscore are their helpers.
"""

from __future__ import annotations

from lintpickle.commands._group import app

__all__ = ["app"]
