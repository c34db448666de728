"""The modules of a run: where their files are, what they tell each other, and how a large program is kept small."""
