"""Every form of a campaign by what it is to do, ``do``; each posts one act."""

from django.http import QueryDict

from firefight.table.act.refusals import BadField
from firefight.table.forms import ActForm, Answer, TakeBack

from . import buying, orders, playing, reorganizing, seals, setting_up

FORMS: dict[str, type[ActForm]] = {
    form.do: form
    for form in (
        *(buying.Reinforce, buying.Buy, buying.Refund),
        *(orders.Seal, orders.Withdraw, orders.Reveal, orders.Settle),
        *(setting_up.Place, setting_up.Building, setting_up.TakeOff, setting_up.Confirm),
        *(seals.Plot, seals.Observer, seals.Strike, seals.Open),
        *(playing.EndTurn, playing.Report, playing.RandomMarker, playing.EndNest),
        *(playing.Battery, playing.Aircraft, playing.AirAttack, playing.Down),
        *(reorganizing.ConfirmReport, reorganizing.Mines, reorganizing.Redeploy),
        *(reorganizing.Fight, reorganizing.FightRound, reorganizing.Hurry, reorganizing.Recover, reorganizing.Concede),
        *(TakeBack, Answer, buying.PutRight),
    )
}


def read_form(data: QueryDict) -> ActForm:
    """The form that was posted. Raises BadField when it does not say what to do."""
    form = FORMS.get(data.get("do", ""))
    if form is None:
        raise BadField("This form does not say what to do. Reload the page and try again.")
    return form(data)
