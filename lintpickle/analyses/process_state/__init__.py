"""Settings and resources of a process: signals, contexts, hash seeds, threads and files at the fork."""
