"""One run over a project: which rules see what, in which processes, and what is kept for the next run."""
