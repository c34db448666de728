"""Which text can matter at all: text scan, candidate forms, words. What is left out here is never parsed."""
