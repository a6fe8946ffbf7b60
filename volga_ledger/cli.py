"""The command `volga-ledger`: `manage.py` for an installed app, which is not in a folder of its user's own."""

import os
import sys
from pathlib import Path

import platformdirs

APP = Path(__file__).resolve().parent / "app"
if not APP.is_dir():  # installed from a checkout for development (`pip install --editable`)
    APP = APP.parent.parent


def data_folder() -> str:
    """Where this user's programs keep their data: VOLGA_DATA, or the system's usual folder.

    Windows: %LOCALAPPDATA%; macOS: ~/Library/Application Support; Linux: $XDG_DATA_HOME or ~/.local/share.
    """
    return os.environ.get("VOLGA_DATA") or platformdirs.user_data_dir("volga-ledger", appauthor=False)


def main() -> None:
    """Run one of the app's commands; without any, play."""
    os.environ["VOLGA_DATA"] = data_folder()
    sys.path.insert(0, str(APP))
    import manage

    manage.main(sys.argv[1:] or ["play"])


if __name__ == "__main__":
    main()
