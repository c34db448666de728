"""Files that pickles come in: each module reads one kind, and of archives only the members that are pickles."""
