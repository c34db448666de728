"""Waits that do not end: for queues, pipes, locks, barriers, processes and results."""
