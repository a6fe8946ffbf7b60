"""What htmx says of a request."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


def htmx_of(request: HttpRequest) -> HtmxDetails:
    """What htmx says of a request: true if htmx sent it. The middleware of django-htmx has noted it there."""
    return request.htmx  # type: ignore[attr-defined]  # Django's own type does not know of it
