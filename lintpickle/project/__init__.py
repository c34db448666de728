"""From modules to a program: imports, class hierarchies, payload and trails. Sees facts; known to the
engine."""
