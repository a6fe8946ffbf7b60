"""What a match tells afterwards."""
