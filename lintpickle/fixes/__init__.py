"""Fixing: which edits to apply, how rules make them, and how the result is verified and written.

For rules: `imports` (make a name available), `hoist` (move a function to module level), `operators` (an exact
replacement for a lambda), `names` (what a function captures). For the engine: `edits`, `fixpoint`, `write`.
All of them work on code-point spans in the text; none of them re-generates code from a tree.
"""
