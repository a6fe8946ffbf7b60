"""The sheet on which sides declare what they then roll together: viewed, tried out, and declared."""

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
from .desks import find_desk
from .due_cards import show_counters
from .page import find_missing_lines, show_after_act, show_match
from .seated import seated

LONGEST = 80  # characters of a field


@require_http_methods(["GET", "POST"])
@seated
def sheet(request: HttpRequest, table: Table) -> HttpResponse:
    """The sheet of a place with what was chosen, or the outcome of declaring it."""
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
    """The sheet on the desk; where there is none, the page as it is, with the reason."""
    lines = [] if wants_part(request) else find_missing_lines(request, table)
    questions = []
    try:
        joint_sheet = joint.lay_out_sheet(table, place, sent)
    except LackingValues as error:
        joint_sheet, questions, trouble = None, list(error.asked), trouble or "Tell these values first."
    except RuleError as error:
        try:
            joint_sheet, trouble = joint.lay_out_sheet(table, place, {}), trouble or str(error)
        except RuleError:
            desk = find_desk(table, [])
            return show_match(request, table, desk, lines, status=422, trouble=trouble or str(error))
        status = 422
    about = (
        [counter_id for side in joint_sheet.sides for roll in side.rolls for counter_id in roll.about]
        if joint_sheet
        else []
    )
    more: Json = {"pieces": {counter.id: counter for counter in show_counters(table, about)}}
    more |= {"sheet": joint_sheet or True, "asked": questions, "sheet_trouble": trouble}
    return show_match(request, table, None, lines, status=status, **more)
