"""What a run may keep for the next one, in a folder of the user's. `store` holds entries, `answers` looks up answers,
`recording` records them.

`store`, `answers` and `stamps` are imported before anything else when a command starts, so they import next to nothing
themselves: no `typing`, no `dataclasses`, not even `__future__`. A test checks the list.
"""
