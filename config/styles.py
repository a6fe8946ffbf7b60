"""The styles of a page: the style sheets of its subjects as one file, which browsers keep for ever.

A page is shown once its styles are there. One file needs one round trip; its address contains a digest of it.
"""

import hashlib
import re
from functools import cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

SHEETS = settings.BASE_DIR / "static" / "css"
TABLE = ("tokens", "base", "controls", "table", "log")
# By the subject of a page. The table of a match must be there soonest.
SUBJECTS = {"table": (*TABLE, "print"), "all": (*TABLE, "campaign", "chartroom", "story", "print")}
# Paper is light, whatever the screen is. Until somebody chooses, the device decides.
LIGHT_WHERE = {"": "print, (prefers-color-scheme: light)", "dark": "print", "light": "all"}
FOREVER, AN_HOUR = "public, max-age=31536000, immutable", "public, max-age=3600"

_ASIDE = re.compile(r"/\*.*?\*/|\n\s*", re.DOTALL)
_FILE = re.compile(r'url\("\.\./([^"]+)"\)')


def bind_sheets(subjects: str, theme: str) -> str:
    """The style sheets of some subjects, with the colours of a theme, without comments and indentation."""
    parts = [_read(subject) for subject in SUBJECTS[subjects]]
    css = "\n".join([*parts, f"@media {LIGHT_WHERE[theme]} {{ {_read('light')} }}"])
    return _FILE.sub(lambda reference: f'url("{static(reference[1])}")', css)


def _read(subject: str) -> str:
    return _ASIDE.sub("", (SHEETS / f"{subject}.css").read_text(encoding="utf-8"))


def style_address(subjects: str, theme: str) -> str:
    """The address of a page's styles."""
    return _find_address(subjects, theme) if not settings.DEBUG else _find_address.__wrapped__(subjects, theme)


@cache
def _find_address(subjects: str, theme: str) -> str:
    digest = hashlib.sha256(bind_sheets(subjects, theme).encode()).hexdigest()[:12]
    return reverse("style", args=(subjects, theme or "device", digest))


@require_safe
def style(request: HttpRequest, subjects: str, theme: str, digest: str) -> HttpResponse:
    """The styles themselves. A page of an earlier version gets the present ones."""
    theme = "" if theme == "device" else theme
    if subjects not in SUBJECTS or theme not in LIGHT_WHERE:
        raise Http404("There are no such styles.")
    cache_control = FOREVER if request.path == style_address(subjects, theme) else AN_HOUR
    css = bind_sheets(subjects, theme)
    return HttpResponse(css, content_type="text/css; charset=utf-8", headers={"Cache-Control": cache_control})
