"""Probing a running program: which of its objects cannot cross, according to pickle itself, and the lines that store
them."""
