"""Control flow inside of one function, seen on its `ast`: branches, conditions, paths, attempts."""
