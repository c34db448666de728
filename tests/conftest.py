"""No test uses the cache of whoever runs the tests."""

from __future__ import annotations

import os

os.environ["LINTPICKLE_NO_CACHE"] = "1"
