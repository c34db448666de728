"""Abstract interpretation: what an expression's value can be, what objects hold, and what pickling them does."""
