"""What the server runs: the app behind its front."""

import sys
from contextlib import suppress

from django.db import DatabaseError, connection

from firefight.starting import CannotStart, check_tables

from .front import Front
from .wsgi import application as app

try:
    with suppress(DatabaseError):  # pages say so until it is back
        check_tables()
except CannotStart as error:
    sys.exit(str(error))
finally:
    connection.close()
application = Front(app)
