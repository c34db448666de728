"""For test suites: `assert_crosses(obj)` fails unless an object can be sent to a worker process."""

from __future__ import annotations

from lintpickle.probing.library import Report, assert_crosses, probe

__all__ = ["Report", "assert_crosses", "probe"]
