"""What every answer of the app has in common."""

import codecs
import logging
from collections.abc import Callable
from http import HTTPStatus

from csp.middleware import CSPMiddleware
from django.conf import settings
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from firefight.web.requests import wants_json

logger = logging.getLogger("volga")

GetResponse = Callable[[HttpRequest], HttpResponse]

# Nothing here needs a device's sensors, so no script that gets in through some gap may use them.
PERMISSIONS = ", ".join(
    f"{feature}=()"
    for feature in (
        *("accelerometer", "autoplay", "browsing-topics", "camera", "display-capture", "geolocation"),
        *("gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer", "microphone", "midi", "payment"),
        *("publickey-credentials-get", "serial", "usb", "xr-spatial-tracking"),
    )
)

# What SQLite or PostgreSQL says, and what that means to players and to the host.
LOCKED = "The database is busy with something else. Nothing was done. Try again in a few seconds."
HURT = "The database cannot be read. Nothing was done. The host finds what to do in docs/running.md, “If it fails”."
TROUBLES = {
    "is locked": LOCKED,
    "lock timeout": LOCKED,
    "disk is full": "The host's disk is full. Nothing was done. Once there is room again, send it once more.",
    "readonly database": "The database cannot be written to. Nothing was done. The host must let the app write to it.",
    "malformed": HURT,
    "not a database": HURT,
    "disk I/O error": HURT,
    "unable to open": HURT,
    "connection": "The database does not answer. Nothing was done. Try again in a minute.",
}


def describe_trouble(error: DatabaseError) -> str:
    """What to tell a player about a database that cannot be used now; "" for a defect of ours."""
    return next((sentence for words, sentence in TROUBLES.items() if words in str(error)), "")


class Middleware:
    """Passes a request on, and looks at it or at its answer."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)


class DatabaseTroubleMiddleware(Middleware):
    """Answer 503 in words while the database cannot be used. Its transaction undoes what was begun."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Handle a database that is locked, full, damaged or missing; leave everything else alone."""
        sentence = describe_trouble(exception) if isinstance(exception, DatabaseError) else ""
        if not sentence:
            return None
        logger.error("%s %s: %s", request.method, request.path, exception)
        response = render(request, "503.html", {"reason": sentence}, status=503)
        response.headers["Retry-After"] = "5"
        return response


class EncodingMiddleware(Middleware):
    """Refuse forms in any encoding but UTF-8, before anything tries to read them."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        encoding = request.encoding
        request.encoding = None  # type: ignore[assignment]  # Django's own word for "the default"; the stubs lack it
        if encoding and codecs.lookup(encoding).name != "utf-8":
            return render(request, "400.html", {"reason": "Forms are read as UTF-8 alone."}, status=400)
        return self.get_response(request)


class OldCookieMiddleware(Middleware):
    """Let the seats in a cookie of version 0.1.0 come over to the name that the cookie now has over HTTPS.

    Nothing else is taken from the old name: a neighbour under the same domain could set it.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        old = request.COOKIES.get("sessionid", "")
        if old and settings.SESSION_COOKIE_NAME not in request.COOKIES and "seats" in SessionStore(old):
            request.COOKIES[settings.SESSION_COOKIE_NAME] = old
        return self.get_response(request)


class ProgramMiddleware(Middleware):
    """Turn refusals into JSON for programs, which read no pages, wherever the view itself has not done so."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if response.status_code < 400 or not is_page or not wants_json(request):
            return response
        reason = REFUSALS.get(response.status_code, response.reason_phrase)
        refusal = JsonResponse({"error": reason}, status=response.status_code)
        for name in ("Allow", "Retry-After"):
            if name in response.headers:
                refusal.headers[name] = response.headers[name]
        return refusal

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Say what is missing, as the 404 page does."""
        is_told = isinstance(exception, Http404) and str(exception) and wants_json(request)
        return JsonResponse({"error": str(exception)}, status=404) if is_told else None


class PostsAloneMiddleware(Middleware):
    """Draw a page for whoever opens an address that only takes forms, as a browser does that restores its tabs."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not isinstance(response, HttpResponseNotAllowed) or request.method != "GET":
            return response
        page = render(request, "405.html", status=HTTPStatus.METHOD_NOT_ALLOWED)
        page.headers["Allow"] = response.headers["Allow"]
        return page


REFUSALS = {
    400: "This request cannot be read.",
    403: "This is refused. Whatever is posted needs its token and your cookies (docs/json.md).",
    404: "There is no such address.",
    405: "This address does not take that kind of request.",
}


class HeadMiddleware(Middleware):
    """Answer HEAD wherever GET is answered: the same headers, without the content. For monitors and link previews."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method != "HEAD":
            return self.get_response(request)
        request.method = "GET"
        response = self.get_response(request)
        request.method = "HEAD"
        if isinstance(response, StreamingHttpResponse):
            response.close()
            response.streaming_content = []
        else:
            response.headers.setdefault("Content-Length", str(len(response.content)))
            response.content = b""
        return response


BARE = (204, 304)  # without a page that a policy could apply to


class PermissionsMiddleware(Middleware):
    """Forbid the features that no page needs."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code not in BARE:
            response.headers["Permissions-Policy"] = PERMISSIONS
        return response


class PolicyMiddleware(CSPMiddleware):
    """The Content-Security-Policy, left out of answers without a page: most of them tell a poll that nothing is new."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Add the header to every answer with content."""
        return response if response.status_code in BARE else super().process_response(request, response)
