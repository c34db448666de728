"""What is written to files for others to load, and how they load it."""
