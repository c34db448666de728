"""`python -m lintpickle`."""

import sys

from lintpickle.cli import main

if __name__ == "__main__":
    sys.exit(main())
