"""What runs in workers and what does not, how many of them run it at once, and what the main process does before."""
