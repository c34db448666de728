"""From bytes on disk to text with positions: discovery, decoding, line index, notebook cells, comments."""
