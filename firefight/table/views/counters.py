"""The counters of a match: as JSON, set by hand, undone, and added to a single firefight."""

from typing import Any

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_GET

from firefight.engine.board.counters import CounterInPlay
from firefight.table import counters, forms
from firefight.table.seats import Table

from .acts import act_view
from .page import seated

change = act_view(forms.SetCounters)
undo = act_view(forms.UndoChange)
add = act_view(forms.AddCounters)
keep_value = act_view(forms.KeepValue)


@require_GET
@seated
def counters_json(request: HttpRequest, table: Table) -> JsonResponse:
    """The counters that this browser may know of."""
    known = counters.store_of(table.match).known(table.sees)
    return JsonResponse([describe_json(counter) for counter in known], safe=False)


def describe_json(counter: CounterInPlay) -> dict[str, Any]:
    """A counter as other programs are told of it (docs/json.md)."""
    plain = {name: getattr(counter, name) for name in _ALWAYS} | {"state": list(counter.state)}
    return plain | {name: value for name in _WHERE_FILLED if (value := getattr(counter, name))}


_ALWAYS = ("id", "side", "counter", "name", "place", "level", "state", "hidden", "fate")
_WHERE_FILLED = ("area", "beside", "note")
