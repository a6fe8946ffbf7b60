"""What the server runs: the app behind its front."""

import os
import sys
from contextlib import suppress

import django
from django.conf import settings
from django.db import DatabaseError, connection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from firefight.hosting import starting  # noqa: E402 - it needs the apps

from .front import Front  # noqa: E402 - likewise

try:
    with starting.taking_turns(settings.DATA_DIR):
        starting.lay_out_static_files()  # for a server started by other means than `play`
    with suppress(DatabaseError):  # pages say so until it is back
        starting.check_tables()
except starting.CannotStart as error:
    sys.exit(str(error))
finally:
    connection.close()

from .wsgi import application as app  # noqa: E402 - it looks which static files there are

application = Front(app, is_behind_proxy=settings.BEHIND_PROXY)
