"""How imports are resolved: environments, installed distributions, and the files of modules. Nothing is imported."""
