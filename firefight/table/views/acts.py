"""Acts that are posted from the page of a match: the course, notes, taking back, the end; rolls are in match.py."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from firefight.table import forms
from firefight.table.act.table import Table

from .page import show_after_act
from .seated import seated


def act_view(form: type[forms.ActForm]) -> Callable[..., HttpResponse]:
    """A view that does what a form posts, or says why not."""

    @require_POST
    @seated
    def view(request: HttpRequest, table: Table) -> HttpResponse:
        return show_after_act(request, table, form(request.POST).perform(table))

    return view


advance = act_view(forms.Advance)
drop = act_view(forms.Drop)
hand_over = act_view(forms.HandOver)
note = act_view(forms.Note)
reveal = act_view(forms.Reveal)
take_back = act_view(forms.TakeBack)
go_back = act_view(forms.GoBack)
answer = act_view(forms.Answer)
end = act_view(forms.End)
