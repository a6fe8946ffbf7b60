"""Pages for hosts, for programs and for browsers themselves, not for players."""

import secrets
from datetime import timedelta
from http import HTTPStatus

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_GET, require_http_methods

from firefight.engine.values import Json
from firefight.hosting.health import check_health
from firefight.hosting.host_word import TooManyTries, knows_word, try_word

DAY = 24 * 60 * 60
# Matches, campaigns and links belong to those who have them; pages that are the same for everybody may be found.
ROBOTS = """User-agent: *
Disallow: /
Allow: /$
Allow: /assist/
Allow: /static/
Allow: /style/
"""
CONTACT_HOLDS = timedelta(days=180)  # until a finder should look again


def refuse_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say that a request cannot be read; for a name that is not the app's, by which address it is opened."""
    if not isinstance(exception, DisallowedHost):
        return render(request, "400.html", status=HTTPStatus.BAD_REQUEST)
    reason = f"This app does not answer to the name {request.META.get('HTTP_HOST', '')[:100]}."
    ctx = {"reason": reason, "address": settings.PUBLIC_ADDRESS}
    return render(request, "400_host.html", ctx, status=HTTPStatus.BAD_REQUEST)


@require_GET
@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """Answer 200 if this copy can serve, else 503; the JSON says which part cannot."""
    health_report = check_health()
    return JsonResponse(
        health_report.plain(), status=HTTPStatus.OK if health_report.is_well else HTTPStatus.SERVICE_UNAVAILABLE
    )


@require_GET
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Figures for Prometheus, if the host wants any, for requests with the host's token."""
    sent = request.headers.get("Authorization", "").removeprefix("Bearer ").encode()
    if not settings.METRICS_TOKEN or not secrets.compare_digest(sent, settings.METRICS_TOKEN.encode()):
        raise Http404
    from firefight.hosting import figures  # only a monitored host needs what it imports

    return HttpResponse(figures.write_figures(), content_type="text/plain; version=0.0.4; charset=utf-8")


@require_GET
@cache_control(max_age=DAY)
def robots(request: HttpRequest) -> HttpResponse:
    """What search engines are asked to leave alone."""
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8")


@require_GET
@cache_control(max_age=DAY)
def favicon(request: HttpRequest) -> HttpResponseBase:
    """The icon, for what asks for it without reading a page."""
    return redirect(static("icon-192.png"))


@require_GET
@cache_control(max_age=DAY)
def manifest(request: HttpRequest) -> JsonResponse:
    """What a phone needs to install the app."""
    manifest_json: Json = {
        "name": "Volga Ledger",
        "short_name": "Volga",
        "description": "Odds, rolls and campaign ledger beside the board.",
        "start_url": "/",
        "display": "standalone",
        "background_color": "#131619",
        "theme_color": "#131619",
        "icons": [
            {"src": static(f"icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"} for size in (192, 512)
        ],
    }
    return JsonResponse(manifest_json, content_type="application/manifest+json")


@require_GET
def security(request: HttpRequest) -> HttpResponse:
    """Whom to tell about a vulnerability (RFC 9116), if the host says so."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    until = (timezone.now() + CONTACT_HOLDS).strftime("%Y-%m-%dT00:00:00Z")
    text = f"Contact: {settings.SECURITY_CONTACT}\nExpires: {until}\nPreferred-Languages: en\n"
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_http_methods(["GET", "POST"])
@never_cache
def word(request: HttpRequest) -> HttpResponse:
    """Ask for the host's word, and lead on to what was asked for."""
    sent = request.POST if request.method == "POST" else request.GET
    after = sent.get("next", "")
    if not url_has_allowed_host_and_scheme(after, allowed_hosts=None):
        after = reverse("firefight:home")
    if knows_word(request):
        return redirect(after)
    ctx, status = {"next": after, "problem": ""}, HTTPStatus.OK
    if request.method == "POST":
        try:
            if try_word(request, request.POST.get("word", "")):
                return redirect(after)
            ctx["problem"], status = "That is not the word. Ask the host for it.", HTTPStatus.UNPROCESSABLE_ENTITY
        except TooManyTries:
            ctx["problem"] = "Too many wrong words came from your network. Try again in an hour."
            status = HTTPStatus.TOO_MANY_REQUESTS
    return render(request, "firefight/word.html", ctx, status=status)
