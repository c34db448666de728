"""Helpers for several rules: base classes, shared checks and shared fixes."""
