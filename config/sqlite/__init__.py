"""Django's SQLite with a queue for those who write."""
