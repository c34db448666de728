"""What several rules need: forms of code that they have in common, and questions about them."""
