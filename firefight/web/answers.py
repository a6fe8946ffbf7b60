"""What a browser is sent besides ordinary pages: files, and refusals."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def send_file(content: str | bytes, kind: str, name: str, is_kept: bool = False) -> HttpResponse:
    """A file with a name: shown where the browser can, or saved at once (``is_kept``). ``kind``: its media type."""
    way = "attachment" if is_kept else "inline"
    return HttpResponse(content, content_type=kind, headers={"Content-Disposition": f'{way}; filename="{name}"'})


def refuse_address(request: HttpRequest, reason: str) -> HttpResponse:
    """Say what is wrong with an address."""
    return render(request, "400.html", {"reason": reason}, status=400)


def refuse_post(request: HttpRequest, reason: str, back: str = "", status: int = 422) -> HttpResponse:
    """Say on a separate page why what was posted is not done. ``back``: the address of its form."""
    return render(request, "firefight/refused.html", {"reason": reason, "back": back}, status=status)
