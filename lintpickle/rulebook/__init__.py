"""The rule book: one page for each rule, which is documentation, test and proof."""
