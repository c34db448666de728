"""Analyses for several rules, in packages by what they are about: state of the main process, waits, lost changes."""
