"""Data loaders: their arguments, samplers and datasets."""
