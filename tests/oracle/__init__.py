"""An oracle: programs composed from parts, what real Python does with each, and how lintpickle judges them.

`python -m tests.oracle` says what it can do.
"""
