"""What the host's machine needs: a start with checks, backups, bounds on what visitors store."""
