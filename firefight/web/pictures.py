"""Drawings as files that a browser is sent."""

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse

from firefight.drawing import png, svg
from firefight.drawing.shapes import Drawing, Paint

from .answers import refuse_address

SCALES = ("1", "2", "3")
TYPES = {"svg": "image/svg+xml", "png": "image/png"}


def send_picture(
    request: HttpRequest, drawing: Drawing, paints: Mapping[str, Paint], kind: str, cache_control: str
) -> HttpResponse:
    """A drawing as a file. A PNG has as many pixels for each unit as ``scale`` in the address says.

    ``cache_control``: how long the browser may keep it.
    """
    scale = request.GET.get("scale", SCALES[0])
    if scale not in SCALES:
        return refuse_address(request, f"A picture's scale is one of {', '.join(SCALES)}.")
    painted = png.png(drawing, paints, int(scale)) if kind == "png" else svg.document(drawing, paints)
    return HttpResponse(painted, content_type=TYPES[kind], headers={"Cache-Control": cache_control})
