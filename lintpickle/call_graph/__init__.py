"""The callers of a function, and what has run before a given point."""
