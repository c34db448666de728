"""From text to trees: `ast` and libcst parsing, newer syntax in older words, and the outline of a file."""
