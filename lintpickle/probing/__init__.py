"""Probing a live program: what of its objects does not cross, asked of pickle itself, and the lines that store it."""
