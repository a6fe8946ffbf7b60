"""Helpers of the Volga, and of what may be used at all: aircraft, silenced artillery."""

from firefight.kit import HelperForm, NumberField, Pick, PlaceField, TickField

from ..rules import limits, volga
from ..rules.areas import AREAS
from ..rules.results import Allowed, Counted
from ..rules.sides import Time
from . import shared

GROUP = "Volga"


class InterdictionForm(HelperForm):
    """Inputs of Interdiction Points."""

    mamayev = Pick.among("Mamayev Kurgan (56)", volga.Hold)
    artillery_there = TickField("German artillery there")
    bank = Pick.among("Best River Bank Area", volga.Hold)
    adjacent_one = Pick.among("River Bank Area beside the landing", volga.Hold)
    adjacent_two = Pick.among("The other one beside it", volga.Hold)
    isolated_points = NumberField("Points by isolated units alone", 0, 9)
    units = NumberField("Units that cross", 1, volga.MOST_UNITS, initial=1)


class CrossingForm(HelperForm):
    """Inputs of a crossing."""

    ip = NumberField("Interdiction Points", 0, 9)
    contested = TickField("The landing Area is Contested")
    full = TickField("It is full")
    recross = TickField("It goes back East")


class FerryForm(HelperForm):
    """Inputs of a ferry."""

    time = shared.time(Time.NIGHT)
    crossing_units = NumberField("Units", 1, 40, initial=1)
    landing = shared.area("Landing")
    landing_lost = TickField("The landing is German")


class BreakthroughForm(HelperForm):
    """Inputs of a breakthrough."""

    time = shared.time(Time.NIGHT)
    crossing_units = NumberField("Units", 1, 40, initial=1)
    zone_letter = PlaceField("Zone", AREAS, length=1)
    lost_now = TickField("The Zone is German now")
    lost_by_day = TickField("It was German as the day ended")


class LuftwaffeForm(HelperForm):
    """Inputs of an air attack."""

    filled_from = {"used_today": "luftwaffe_used"}

    date = shared.date()
    time = shared.time()
    used_today = TickField("They have attacked today")


class RefitForm(HelperForm):
    """Inputs of a refit."""

    area = shared.area("Where the artillery stands")


HELPERS = (
    shared.game_helper(
        "interdiction",
        "Interdiction Points",
        GROUP,
        "What Germans on the river make of crossings.",
        ("18.4 Interdiction",),
        InterdictionForm,
        volga.interdiction,
        Counted,
        steps=("night",),
    ),
    shared.game_helper(
        "crossing",
        "Crossing the Volga",
        GROUP,
        "A unit on the Crossing Table, either way.",
        ("18.5 Crossing", "18.7 Recrossing"),
        CrossingForm,
        volga.crossing,
        volga.CrossingOutcome,
        (shared.DR,),
        steps=("night",),
        together=True,
        brief={
            "eliminated": "eliminated",
            "returned": "returned",
            "landed_disrupted": "landed disrupted",
            "landed": "landed",
        },
    ),
    shared.game_helper(
        "ferry",
        "Ferry",
        GROUP,
        "Whether reinforcements may cross to a landing now.",
        ("18.3 Ferry Landings",),
        FerryForm,
        volga.ferry,
        Allowed,
        steps=("night",),
    ),
    shared.game_helper(
        "breakthrough",
        "Breakthrough",
        GROUP,
        "Whether reinforcements may come by a Zone instead.",
        ("18.6 Breakthrough",),
        BreakthroughForm,
        volga.breakthrough,
        Allowed,
        steps=("night",),
    ),
    shared.game_helper(
        "luftwaffe",
        "Luftwaffe",
        "Guns and air",
        "Whether aircraft may attack now, and how strong they are.",
        ("17.22", "17.23"),
        LuftwaffeForm,
        limits.luftwaffe,
        Allowed,
        steps=("day",),
    ),
    shared.game_helper(
        "refit",
        "Refit",
        "Guns and air",
        "Whether silenced Russian artillery fires again.",
        ("15.34",),
        RefitForm,
        limits.refit,
        limits.RefitOutcome,
        (shared.DIE,),
    ),
)
