"""What the host's machine needs: a start that checks, backups, bounds on what visitors store."""
