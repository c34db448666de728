"""What pickle calls and leaves out: `__getstate__`, `__reduce__`, constructors, lookups on objects without state."""
