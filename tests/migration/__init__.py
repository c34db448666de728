"""Tests of `lintpickle migrate`."""
