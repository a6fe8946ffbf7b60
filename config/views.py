"""Pages that are for hosts and their programs, not for players."""

from http import HTTPStatus

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from firefight.hosting.health import check_health


@require_GET
@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """Answer 200 if this copy can serve, else 503; the JSON says which part cannot."""
    found = check_health()
    return JsonResponse(found.plain(), status=HTTPStatus.OK if found.is_well else HTTPStatus.SERVICE_UNAVAILABLE)
