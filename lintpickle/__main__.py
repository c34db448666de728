"""`python -m lintpickle`."""

from __future__ import annotations

import sys

from lintpickle.cli import main

if __name__ == "__main__":
    sys.exit(main())
