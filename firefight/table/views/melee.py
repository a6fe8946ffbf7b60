"""The sheet on which sides declare what they then roll together: looked at, tried out, and declared."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from firefight.engine.board.counters import LackingValues
from firefight.engine.errors import RuleError
from firefight.engine.values import Json
from firefight.table.act.table import Table
from firefight.table.forms import read_head
from firefight.table.rolling import joint
from firefight.web.requests import wants_json, wants_part

from . import programs
from .due_cards import show_counters
from .page import find_desk, find_missing_lines, show_after_act, show_match
from .seated import seated

LONGEST = 80  # characters of a field


@require_http_methods(["GET", "POST"])
@seated
def sheet(request: HttpRequest, table: Table) -> HttpResponse:
    """The sheet of a place with what was chosen, or what comes of declaring it."""
    data = request.POST if request.method == "POST" else request.GET
    sent = {name: value for name in data if len(name) <= LONGEST and len(value := str(data.get(name, ""))) <= LONGEST}
    place = sent.get("place", "")
    try:
        if request.method == "GET":
            return draw_sheet(request, table, place, sent)
        head = read_head(request.POST)
        if sent.get("does") == "wait":
            done = joint.wait(table, *head, place)
        else:
            done = joint.declare(table, *head, place, sent)
    except RuleError as error:
        if wants_json(request):
            return programs.tell_refusal(table, str(error), 422, error.by_field)
        return draw_sheet(request, table, place, sent, str(error), 422)
    return show_after_act(request, table, done)


def draw_sheet(
    request: HttpRequest, table: Table, place: str, sent: dict[str, str], trouble: str = "", status: int = 200
) -> HttpResponse:
    """The sheet on the desk; where there is none, the page as it is, and why."""
    lines = [] if wants_part(request) else find_missing_lines(request, table)
    asked = []
    try:
        shown = joint.lay_out_sheet(table, place, sent)
    except LackingValues as error:
        shown, asked, trouble = None, list(error.asked), trouble or "Tell these values first."
    except RuleError as error:
        try:
            shown, trouble = joint.lay_out_sheet(table, place, {}), trouble or str(error)
        except RuleError:
            desk = find_desk(table, [])
            return show_match(request, table, desk, lines, status=422, trouble=trouble or str(error))
        status = 422
    about = [each for side in shown.sides for roll in side.rolls for each in roll.about] if shown else []
    more: Json = {"pieces": {each.id: each for each in show_counters(table, about)}}
    more |= {"sheet": shown or True, "asked": asked, "sheet_trouble": trouble}
    return show_match(request, table, None, lines, status=status, **more)
