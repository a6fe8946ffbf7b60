"""The installed app: what `pip`, `pipx` and `uvx` put on a machine. A checkout is run by `manage.py` instead."""
