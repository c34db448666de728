"""lintpickle inside other tools. Their hosts import these modules whenever they start, whether or not anybody
wants lintpickle: nothing heavy may be imported at the top of them, and no error of ours may end a host's run."""
