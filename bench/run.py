"""Measure the budgets: `make bench`, or `python bench/run.py` where the requirements are installed.

Everything except the server of many matches is measured in this one process, against a SQLite file of its own with
the project's options. Exit status 1 means that a budget is broken.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
# The host's own settings must not be part of what is measured.
FOREIGN = ("DATABASE_URL", "DEBUG", "HTTPS", "BEHIND_PROXY", "ALLOWED_HOSTS", "SECRET_KEY")


def main() -> None:
    """Measure everything against a database of its own."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="volga-bench-", ignore_cleanup_errors=True) as folder:
        for name in FOREIGN:
            os.environ.pop(name, None)
        os.environ |= {"VOLGA_DATA": folder, "DJANGO_SETTINGS_MODULE": "served"}

        import django
        from django.conf import settings
        from django.core.management import call_command
        from django.db import connection

        django.setup()
        call_command("collectstatic", interactive=False, verbosity=0)
        import measures

        import config.wsgi  # noqa: F401 - as a server: what is loaded is left out of the garbage collector

        call_command("migrate", interactive=False, verbosity=0)
        call_command("load_shipped")
        python = sys.version.split()[0]
        print(f"Volga Ledger {settings.VERSION}, Python {python}, Django {django.__version__}, SQLite in a file")
        verdicts = measures.measure_all()
        connection.close()
    missed = verdicts.count(False)
    summary = f"{missed} of {len(verdicts)} budgets broken." if missed else f"All {len(verdicts)} budgets hold."
    print(f"\n{summary} ({time.monotonic() - begin:.0f} s)")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
