"""Questions about code as it is written: what calls what, what an expression is, what a function returns."""
