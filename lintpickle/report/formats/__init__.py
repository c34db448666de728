"""One output format per file; the name of the file is the name of the format."""
