"""Control flow inside one function, on its `ast`: branches, conditions, paths, attempts."""
