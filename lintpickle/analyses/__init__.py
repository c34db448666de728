"""Analyses for several rules: of arguments, class hierarchies, state of the main process, code run at import."""
