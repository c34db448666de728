"""State that only the main process has: globals, attributes, registries and objects that it alone sets or fills."""
