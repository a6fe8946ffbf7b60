"""Checking an exported log, from any match on any machine: its lines, its dice, its results."""

import json

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from firefight.table.rolling import replay
from firefight.web.requests import number_in

LARGEST = 900_000  # bytes of an exported log


@require_http_methods(["GET", "POST"])
def check(request: HttpRequest) -> HttpResponse:
    """Take an exported log, by file or pasted, and check it."""
    if request.method == "GET":
        return render(request, "firefight/dice.html")
    sent = request.FILES.get("file")
    if sent and (sent.size or 0) > LARGEST:
        ctx = {"problem": f"The file is larger than {LARGEST // 1000} kB; use the stand-alone script for it."}
        return render(request, "firefight/dice.html", ctx, status=422)
    try:
        exported = json.loads(sent.read() if sent else request.POST.get("text", ""))
    except (ValueError, RecursionError):
        return render(request, "firefight/dice.html", {"problem": "That is not a JSON file."}, status=422)
    noted = request.POST.get("noted", "")[:200]
    check_results = replay.examine_log(exported, noted, number_in(request, "first") or 1)
    return render(request, "firefight/dice.html", {"noted": noted, **check_results})
