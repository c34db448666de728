"""What the import of a module does, and what comes of it in each process that imports it."""
