"""Helpers of the Volga, and of what may be used at all: aircraft, silenced artillery."""

from collections.abc import Sequence
from functools import partial

from django import forms

from firefight.engine.charts.book import Book
from firefight.engine.rolls.answers import Allowed, Counted
from firefight.kit import CounterField, HelperForm, Inputs, NumberField, Pick, PlaceField, ReadyAnswer, TickField

from ..rules import limits, volga
from ..rules.areas import AREAS, name_area
from ..rules.sides import Time
from . import lists, shared


class InterdictionForm(HelperForm):
    """Inputs of Interdiction Points."""

    seldom = ("area", "who")

    mamayev = Pick.among("Mamayev Kurgan (56)", volga.Hold)
    artillery_there = TickField("German artillery there")
    bank = Pick.among("Best River Bank Area", volga.Hold)
    adjacent_one = Pick.among("River Bank Area beside the landing", volga.Hold)
    adjacent_two = Pick.among("The other one beside it", volga.Hold)
    isolated_points = NumberField("Points by isolated units alone", 0, 9)
    units = NumberField("Units that cross", 1, volga.MOST_UNITS, initial=1)
    area = PlaceField("Landing", AREAS)
    who = lists.units_by_name("Who crosses, by name")


class CrossingForm(HelperForm):
    """Inputs of a crossing."""

    seldom = ("area", "name")

    ip = NumberField("Interdiction Points", 0, 9)
    contested = TickField("The landing Area is Contested")
    full = TickField("It is full")
    recross = TickField("It goes back East")
    area = PlaceField("Landing", AREAS)
    name = forms.CharField(label="Unit", max_length=60, required=False)
    id = CounterField()


class FerryForm(HelperForm):
    """Inputs of a ferry."""

    beside = ("landing",)
    seldom = ("who",)

    time = shared.time(Time.NIGHT)
    crossing_units = NumberField("Units", 1, 40, initial=1)
    landing = shared.area("Landing")
    landing_lost = TickField("The landing is German")
    who = lists.units_by_name("Who crosses, by name")
    goals = shared.AreasField()


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


def offer_landings(book: Book, inputs: Inputs) -> Sequence[ReadyAnswer]:
    """Each landing that is not German as one press, until one has been named."""
    areas = inputs["goals"].split() if inputs["who"] and not inputs["landing"] else []
    return tuple(ReadyAnswer(f"At {name_area(area)}", {"landing": area}) for area in areas)


volga_helper = partial(shared.game_helper, group="Volga")

HELPERS = (
    volga_helper(
        "interdiction",
        title="Interdiction Points",
        purpose="What Germans on the river make of crossings.",
        rules=("18.4 Interdiction",),
        form=InterdictionForm,
        rule=volga.interdiction,
        outcomes=Counted,
        settles=False,  # the banks are the players' to look at
        steps=("night",),
    ),
    volga_helper(
        "crossing",
        title="Crossing the Volga",
        purpose="A unit on the Crossing Table, either way.",
        rules=("18.5 Crossing", "18.7 Recrossing"),
        form=CrossingForm,
        rule=volga.crossing,
        outcomes=volga.CrossingOutcome,
        dice=(shared.DR,),
        steps=("night",),
        together=True,
        brief={
            "eliminated": "eliminated",
            "returned": "returned",
            "landed_disrupted": "landed disrupted",
            "landed": "landed",
        },
    ),
    volga_helper(
        "ferry",
        title="Ferry",
        purpose="Whether reinforcements may cross to a landing now.",
        rules=("18.3 Ferry Landings",),
        form=FerryForm,
        rule=volga.ferry,
        outcomes=Allowed,
        steps=("night",),
        offers=offer_landings,
    ),
    volga_helper(
        "breakthrough",
        title="Breakthrough",
        purpose="Whether reinforcements may come by a Zone instead.",
        rules=("18.6 Breakthrough",),
        form=BreakthroughForm,
        rule=volga.breakthrough,
        outcomes=Allowed,
        steps=("night",),
    ),
    volga_helper(
        "luftwaffe",
        title="Luftwaffe",
        group="Guns and air",
        purpose="Whether aircraft may attack now, and how strong they are.",
        rules=("17.22", "17.23"),
        form=LuftwaffeForm,
        rule=limits.luftwaffe,
        outcomes=Allowed,
        steps=("day",),
    ),
    volga_helper(
        "refit",
        title="Refit",
        group="Guns and air",
        purpose="Whether silenced Russian artillery fires again.",
        rules=("15.34",),
        form=RefitForm,
        rule=limits.refit,
        outcomes=limits.RefitOutcome,
        dice=(shared.DIE,),
    ),
)
