"""What comes back from workers: results, their order, and the errors on the way."""
