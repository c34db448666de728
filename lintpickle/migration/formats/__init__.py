"""How a migration is written: one format per file."""
