"""One run over a project: which rules see what, in which processes, and what is cached for the next run."""
