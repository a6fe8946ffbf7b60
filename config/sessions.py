"""Sessions in a signed cookie, as Django keeps them, except that a cookie is only verified once an hour.

An open page sends the same cookie every second and a half; deriving the key and checking the signature each time took
longer than the query that answers.
"""

import json
import time
from functools import lru_cache

from django.conf import settings
from django.contrib.sessions.backends import signed_cookies
from django.core import signing

from firefight.engine.values import Json

SALT = "django.contrib.sessions.backends.signed_cookies"
HOUR = 3600  # seconds


class SessionStore(signed_cookies.SessionStore):
    """A session that remembers the content of cookies that come again and again."""

    def load(self) -> Json:
        """The content of the cookie; nothing if it is too old, or not ours."""
        try:
            text = _read_cookie(self.session_key, settings.SECRET_KEY, int(time.time() / HOUR))
        except Exception:  # as Django's own: whatever is wrong with a cookie, its browser starts a new session
            self.create()
            return {}
        session: Json = json.loads(text)
        return session


@lru_cache(maxsize=2_000)
def _read_cookie(cookie: str, key: str, hour: int) -> str:
    """A cookie's content as text, so that nobody can change what is remembered."""
    age = settings.SESSION_COOKIE_AGE
    return json.dumps(signing.loads(cookie, key=key, serializer=signing.JSONSerializer, max_age=age, salt=SALT))
