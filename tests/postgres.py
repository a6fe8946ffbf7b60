"""Run pytest on PostgreSQL: `python -m tests.postgres -q @tests/on_postgres.txt`.

The server is started before pytest is, because Django reads DATABASE_URL when its settings load, and it
is stopped and deleted at the end. A DATABASE_URL that is already set is used as it is. Where there is neither that
nor an embedded server, it says so in a line, and the stage is skipped.
"""

import os
import subprocess
import sys
import tempfile
import warnings

from bootstrap import SKIPPED

# Nobody needs the data of this database after a power failure.
HASTE = ("ALTER SYSTEM SET fsync = off", "ALTER SYSTEM SET synchronous_commit = off", "SELECT pg_reload_conf()")
NO_SERVER = (
    "Tests on PostgreSQL are skipped: there is no embedded server for this Python here. "
    "Set DATABASE_URL to a server, or use Python 3.11 or 3.12."
)


def main(arguments):
    if os.environ.get("DATABASE_URL"):
        return pytest(arguments, os.environ["DATABASE_URL"])
    warnings.filterwarnings("ignore", module="platformdirs")  # it remarks on a missing login session
    try:
        import pgserver
    except ImportError:
        print(NO_SERVER, flush=True)
        return SKIPPED
    # Directly in the temporary directory: started by root, pgserver opens every folder above this one.
    with pgserver.get_server(tempfile.mkdtemp(prefix="volga-postgres-"), cleanup_mode="delete") as server:
        for wish in HASTE:
            server.psql(wish)
        return pytest(arguments, server.get_uri())


def pytest(arguments, url):
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, env={**os.environ, "DATABASE_URL": url}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
