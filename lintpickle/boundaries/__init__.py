"""Where objects are pickled: the calls that are boundaries, and calls that only look like one."""
