"""Which text can matter: text scan, candidate forms, words. Text that is left out here is never parsed."""
