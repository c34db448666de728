"""lintpickle: finds the line that will break when Python code crosses a process boundary."""

__version__ = "0.1.0"
