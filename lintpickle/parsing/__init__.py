"""From text to trees: parsing by `ast` and libcst, newer syntax rewritten for older Pythons, and the outline of a
file."""
