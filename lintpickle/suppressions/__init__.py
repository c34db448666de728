"""Comments that suppress diagnostics: finding them, applying them, writing new ones."""
