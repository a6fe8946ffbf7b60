"""What one browser may see of a campaign, as plain values for templates."""
