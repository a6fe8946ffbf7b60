"""The installed app: what `pip`, `pipx` and `uvx` put on a machine. A checkout is run with `manage.py` instead."""
