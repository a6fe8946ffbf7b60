"""Sessions in a signed cookie, as Django keeps them, except that a cookie is read once an hour.

A page that is open asks with the same cookie every second and a half; to derive the key and check the signature each
time took longer than the query that answers.
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
    """A session that remembers what the cookies that come again and again hold."""

    def load(self) -> Json:
        """What the cookie holds; nothing if it is too old, or not ours."""
        try:
            text = _read_cookie(self.session_key, settings.SECRET_KEY, int(time.time() / HOUR))
        except Exception:  # as Django's own: whatever is wrong with a cookie, its browser begins anew
            self.create()
            return {}
        kept: Json = json.loads(text)
        return kept


@lru_cache(maxsize=2_000)
def _read_cookie(cookie: str, key: str, hour: int) -> str:
    """A cookie's content as text, so that nobody changes what is remembered."""
    age = settings.SESSION_COOKIE_AGE
    return json.dumps(signing.loads(cookie, key=key, serializer=signing.JSONSerializer, max_age=age, salt=SALT))
