"""Helpers of what is built, and of units that come for others."""

from firefight.engine.rolls.answers import Allowed, IsShown
from firefight.kit import HelperForm, NumberField, Pick, TickField

from ..rules import engineering, exchange
from ..rules.terms import Marker
from . import shared

GROUP = "Works and replacements"


class SiteForm(HelperForm):
    work = Pick.among("Work", engineering.Work)
    side = shared.side()
    at_start = TickField("The scenario begins with it")
    marker = Pick.among("Marker on the engineers", Marker)
    enemy_zoc = TickField("The site is in an enemy ZOC")
    in_range_and_los = TickField("Enemy direct fire reaches and sees the site")
    fighting = TickField("They attack, are attacked or bombarded in this phase")
    no_vehicle_access = TickField("Bridge: no way for vehicles to a hex beside it")
    moved = TickField("They move in this phase")


class EngineeringForm(HelperForm):
    ahead = ("hex",)

    hex = shared.target_hex("Hex")
    work = Pick.among("Work", engineering.Work)
    side = shared.side()
    engineers = NumberField("Engineers", 1, engineering.MOST_ENGINEERS, initial=1)
    turn = shared.turn()
    phase = NumberField("Phase in which it begins", 1, 15, initial=3)
    hindered = NumberField("Phases pinned, spent or fighting", 0, 30)


class DelayForm(EngineeringForm):
    """Inputs of a work that is hindered; a match fills them with the one that is under way."""

    filled_from = {"side": "", "turn": "", "phase": ""}

    stopped = TickField("The site is in an enemy ZOC: the work is over")


class ExchangeForm(HelperForm):
    what = Pick.among("What", exchange.Exchange)
    side = shared.side()
    kind = Pick.among("Unit", exchange.Kind)
    points = NumberField("Its AF", 0, 30)
    pz = TickField("Paid with Pz points")
    same_type = TickField("Exactly the same type (withdrawal: a similar one)")
    same_points = TickField("The same AF or DF (withdrawal: at least as much AF)")
    guards = TickField("Guards")
    marine = TickField("Marines")
    nkvd_in = TickField("NKVD comes")
    nkvd_out = TickField("NKVD goes")
    isolated = TickField("The unit on the map is isolated")


HELPERS = (
    shared.look_up(
        "site",
        title="Building site",
        group=GROUP,
        purpose="Whether engineers may begin, or go on.",
        rules=("17.0", "17.15", "17.24", "17.34"),
        form=SiteForm,
        rule=engineering.site,
        outcomes=Allowed,
        suggests=True,
    ),
    shared.game_helper(
        "engineering",
        title="Engineering",
        group=GROUP,
        purpose="When a work is done, and its engineers move again.",
        rules=("17.16", "17.25", "17.35"),
        form=EngineeringForm,
        rule=engineering.engineering,
        outcomes=IsShown,
        steps=("3", "4", "7", "10", "11", "14"),
    ),
    shared.game_helper(
        "delay",
        title="Engineers hindered",
        group=GROUP,
        purpose="A work under way takes a movement phase longer, or is over.",
        rules=("17.0", "17.16", "17.26", "17.36"),
        form=DelayForm,
        rule=engineering.delay,
        outcomes=engineering.Delay,
        verb="Delay",
    ),
    shared.look_up(
        "exchange",
        title="Exchanges and replacements",
        group=GROUP,
        purpose="Whether a unit comes for another, and what it costs.",
        rules=("20.4", "21.42", "21.43", "21.44", "21.53"),
        form=ExchangeForm,
        rule=exchange.exchange,
        outcomes=Allowed,
        steps=("1", "3", "10"),
    ),
)
