"""What crosses a boundary, by which trail, how sure that is, and what runs in the workers."""
