"""Every form of a campaign by its ``do``, what it is to do; each posts one act."""

from django.http import QueryDict

from campaign.acts import batteries, buying, flying, orders, reporting, seals, turns
from campaign.acts import reorganizing as phase
from campaign.acts import setting_up as set_up
from campaign.rules import mines
from campaign.rules.orders import Order
from campaign.rules.phase import Extent
from campaign.rules.reports import News
from firefight.games.combat_stalingrad.rules.air import AirWeapon
from firefight.table.act.refusals import BadField
from firefight.table.forms import ActForm, Answer, Line, Number, NumberList, OneOf, SignedNumber, TakeBack, Tick

from .declaring import HEX_LENGTH, declare_form
from .reorganizing import Concede, Fight, Redeploy
from .setting_up import Building, Place

_NUMBERS = {"unit": "numbers"}

FORMS: dict[str, type[ActForm]] = {
    form.do: form
    for form in (
        # Reinforcements and purchases
        declare_form("reinforce", buying.reinforce, dice=("die",)),
        declare_form(
            *("buy", buying.buy),
            group=Line(20, prompt="Choose a group of your roster."),
            called={"group": "rg"},
            dice=("die", "second_die", "mix"),
        ),
        declare_form("refund", buying.refund, number=Number("a group")),
        declare_form(
            *("put-right-cp", buying.put_right_cp),
            amount=Number("how many CP", asks="Give the CP that your side has: 0 or more."),
            reason=Line(80, asks="Say in at most 80 characters what was told wrongly."),
        ),
        # Attack and Hold; where the card gives the order there is nothing to choose
        declare_form("seal", orders.seal_orders, order=OneOf(Order, required=False), bonus=Tick()),
        declare_form("withdraw-orders", orders.withdraw_orders),
        declare_form("reveal", orders.reveal_orders),
        declare_form("settle", orders.roll_for_attacker, dice=("german_die", "russian_die")),
        # The set-up
        *(Place, Building),
        declare_form("take-off", set_up.take_off, unit=NumberList("units"), called=_NUMBERS),
        declare_form("confirm", set_up.confirm),
        # What is written down under seal
        declare_form(
            *("plot", seals.write_plot),
            first=Line(HEX_LENGTH),
            second=Line(HEX_LENGTH),
            number=Number("a battery"),
            turn=Number("a turn"),
        ),
        declare_form("observer", seals.write_observer, hex=Line(HEX_LENGTH), called={"hex": "text"}),
        declare_form("withdraw", seals.withdraw, number=Number("a record")),
        declare_form("open", seals.open_seal, number=Number("a record")),
        # The firefight
        declare_form("end-turn", turns.end_turn, leaves=Tick(), dice=("die",)),
        declare_form(
            *("report", reporting.report),
            news=OneOf(News),
            unit=NumberList("units"),
            sector=Number("a sector", required=False),
            hex=Line(HEX_LENGTH),
            called={**_NUMBERS, "hex": "hex_name"},
        ),
        declare_form("random-marker", reporting.move_random_marker, hex=Line(HEX_LENGTH), called={"hex": "hex_name"}),
        declare_form("end-nest", reporting.end_nest, number=Number("a nest")),
        declare_form("battery", batteries.note_battery, number=Number("a battery"), news=OneOf(batteries.BatteryNews)),
        declare_form("aircraft", flying.roll_arrival, number=Number("a group"), dice=("die",)),
        declare_form("air-attack", flying.air_attack, number=Number("a group"), weapon=OneOf(AirWeapon)),
        declare_form("down", flying.down_aircraft, number=Number("a group"), by=Line(20)),
        # The Reorganization Phase; the dice hit_3 and check_3 are those of unit 3
        declare_form("confirm-report", phase.confirm_report),
        declare_form(
            *("mines", phase.suffer_mines),
            unit=NumberList("units"),
            factors=Number("the mines' factors"),
            drm=SignedNumber("the DRM of the place"),
            called=_NUMBERS,
            dice=(mines.DIE.name, "hit", "check"),
        ),
        *(Redeploy, Fight),
        declare_form("fight-round", phase.fight_round),
        declare_form(
            *("hurry", phase.resolve_rest),
            how_far=OneOf(Extent, asks="Say how far: the round, the sector, or the phase."),
        ),
        declare_form("recover", phase.recover, dice=("die", "mend")),
        Concede,
        *(TakeBack, Answer),
    )
}


def read_form(data: QueryDict) -> ActForm:
    """The form that was posted. Raises BadField when it does not say what to do."""
    form = FORMS.get(data.get("do", ""))
    if form is None:
        raise BadField("This form does not say what to do. Reload the page and try again.")
    return form(data)
