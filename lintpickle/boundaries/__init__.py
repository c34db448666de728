"""Where objects are pickled: the calls that are boundaries, and those that only look like one."""
