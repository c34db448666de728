"""Random generators: who draws from which, and how they are seeded."""
