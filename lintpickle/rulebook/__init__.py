"""The rule book: one page a rule, which is documentation, test and proof at once."""
