"""No test uses the cache of whoever runs the tests, and none fails because the machine is busy."""

from __future__ import annotations

import os
from contextlib import suppress

os.environ["LINTPICKLE_NO_CACHE"] = "1"

with suppress(ImportError):  # The proofs do without Hypothesis.
    from hypothesis import settings

    settings.register_profile("any machine", deadline=None)
    settings.load_profile("any machine")
