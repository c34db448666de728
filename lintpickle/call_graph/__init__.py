"""Who calls a function, and what has run before."""
