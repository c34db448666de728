"""One format per file; found by looking here."""
