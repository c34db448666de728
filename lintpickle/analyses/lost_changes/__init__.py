"""What workers change in their own copy only, and what they lose as they change what they share."""
