"""A procedure that goes on by itself: what it waits for as JSON, and the answer that lets it go on."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET, require_POST

from firefight.engine.course.conducting import Throw
from firefight.engine.errors import BadDie
from firefight.engine.rolls.dice import Face, read_throw
from firefight.table.act.refusals import BadField, Refused
from firefight.table.act.table import Table
from firefight.table.rolling import conducting
from firefight.web.requests import number_in, sent_by

from .page import show_after_act, show_refusal
from .seated import seated
from .shown_step import export_step

HABIT, AT_ONCE = "rolls_at_once", "at-once"  # the key in a device's session, and what its tick sends
LONGEST = 80  # characters of a choice, or of a throw


@require_GET
@seated
def step_json(request: HttpRequest, table: Table) -> JsonResponse:
    """What the procedure waits for, as far as this seat may know; null where there is no procedure."""
    conducted = conducting.find_conducted(table)
    return JsonResponse({"step": export_step(table, conducted) if conducted else None})


@require_POST
@seated
def go_on(request: HttpRequest, table: Table) -> HttpResponse:
    """Let the procedure go on, with a choice or with dice; ``rolls``: the app also throws what follows a choice."""
    sent = sent_by(request)
    at_once = _keep_habit(request, sent.get("rolls"))
    try:
        faces = read_asked_throw(table, sent) if sent.get("dice") == "table" else {}
        by_app = sent["dice"] == "app" if "dice" in sent else at_once
        answer = conducting.StepAnswer(sent.get("choice", "")[:LONGEST], by_app, faces, sent.get("way") == "all")
        done = conducting.proceed(table, sent.get("act", ""), number_in(request, "version") or 0, answer)
    except Refused as error:
        return show_refusal(request, table, error)
    return show_after_act(request, table, done)


def _keep_habit(request: HttpRequest, ticked: str | None) -> bool:
    """Whether the app rolls at once on this device, kept until a form with that tick changes it (``ticked``)."""
    habit = bool(request.session.get(HABIT))
    if ticked is not None and (ticked == AT_ONCE) != habit:
        habit = not habit
        request.session[HABIT] = habit
    return habit


def read_asked_throw(table: Table, sent: dict[str, str]) -> dict[str, Face]:
    """The dice that the procedure waits for, as they were typed. Raises BadField."""
    conducted = conducting.find_conducted(table)
    if conducted is None or not isinstance(conducted.pending, Throw) or conducted.pending.by_app:
        return {}
    spec = conducted.pending.spec
    typed = sent.get(spec.name, "").strip()[:LONGEST]
    try:
        return {spec.name: read_throw(typed, spec)} if typed else {}
    except BadDie as error:
        raise BadField(str(error)) from None
