"""Acts that need no form of their own: the course, notes, taking back, the end."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from firefight.table import acts, consent
from firefight.table.acts import BadField, Refused
from firefight.table.forms import CONTROLS
from firefight.table.seats import Table

from .access import number_in
from .match import after_act, refused, seated

NOTE_LENGTH = 500


def acting(do: Callable[[HttpRequest, Table, str, int], acts.Done]) -> Callable[..., HttpResponse]:
    """A view of an act that has no form of its own: do it, or say why not."""

    @require_POST
    @seated
    def view(request: HttpRequest, table: Table) -> HttpResponse:
        try:
            done = do(request, table, request.POST.get("act", ""), number_in(request, "version") or 0)
        except Refused as error:
            return refused(request, table, error)
        return after_act(request, table, done)

    return view


@acting
def advance(request, table, act, version):
    """The course goes on: by the button that was pressed, or by its main way."""
    return acts.advance(table, act, version, request.POST.get("button", "")[:40])


@acting
def drop(request, table, act, version):
    """A due roll, or all of them, is not made."""
    return acts.drop(table, act, version, request.POST.get("step", "")[:24])


@acting
def note(request, table, act, _version):
    """A note in the log."""
    text = " ".join(request.POST.get("text", "").split())
    if not text or len(text) > NOTE_LENGTH or CONTROLS.search(text):
        raise BadField(f"A note has 1 to {NOTE_LENGTH} characters, none of them a control character.")
    about, sealed = number_in(request, "about"), request.POST.get("sealed") == "on"
    if request.POST.get("about") and (about is None or sealed):
        raise BadField("Give the number of an entry to annotate, or leave it blank; a sealed note stands alone.")
    return acts.note(table, act, text, sealed, about)


@acting
def reveal(request, table, act, _version):
    """A sealed note is opened."""
    return acts.reveal(table, act, number_in(request, "number") or 0)


@acting
def take_back(request, table, act, version):
    """The last act is taken back, or that is asked for."""
    return consent.propose_take_back(table, act, version)


@acting
def answer(request, table, act, version):
    """What is proposed is agreed to, declined or withdrawn."""
    agrees = {"yes": True, "no": False}.get(request.POST.get("agrees", ""))
    if agrees is None:
        raise BadField("Agree or decline.")
    return consent.answer(table, act, version, agrees)


@acting
def end(request, table, act, version):
    """The match ends, if the other side agrees."""
    if request.POST.get("sure") != "on":
        raise Refused("Tick “the match is over” first: an ended match cannot be taken up again.")
    return consent.propose_end(table, act, version)
