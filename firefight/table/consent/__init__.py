"""What needs both sides, and what hands do."""
