"""Helpers of Dawn and of the week's end."""

from collections.abc import Sequence
from functools import partial

from django import forms

from firefight.engine.charts.book import Book
from firefight.engine.rolls.answers import Allowed, IsShown
from firefight.engine.rolls.dice import DieSpec
from firefight.kit import (
    CounterField,
    DateField,
    HelperForm,
    Inputs,
    Notation,
    NumberField,
    Pick,
    ReadyAnswer,
    RowForm,
    RowsField,
    TickField,
    TokensField,
)

from ..rules import limits, supply, weeks
from ..rules.areas import NAMES, name_area
from ..rules.dates import FIRST, LAST
from . import lists, shared

MOST_LISTED = 60  # units of a Dawn that are isolated, or were
MOST_CALLED = 60  # characters of a unit's name


class DawnRow(RowForm):
    """A unit at Dawn."""

    asks = "duration"
    notation = Notation(
        r"[0-4]",
        {"i": {"marker": 1}, "x": {"marker": 2}, "s": {"in_supply": True}},
        "name",
        "Dots, such as 3x 2x/295 0i 2xs (x isolated at -2, i at -1, s in supply now, / name)",
    )

    duration = NumberField("Dots, 0 for Fresh", 0, 4, initial=None, required=True)
    marker = NumberField("Isolation marker (0, 1 or 2)", 0, 2)
    in_supply = TickField("It can trace supply now")
    name = forms.CharField(label="Unit", max_length=MOST_CALLED, required=False)
    id = CounterField()


class DawnForm(HelperForm):
    """Inputs of units at Dawn: a list, or one."""

    seldom = ("duration", "marker", "in_supply", "name", "reading")

    units = RowsField("Units", DawnRow, lambda row: supply.DawnUnit(**row), most=MOST_LISTED)
    others = TickField("Everybody else on the board is in supply")
    duration = NumberField("Dots, 0 for Fresh", 0, 4)
    marker = NumberField("Isolation marker (0, 1 or 2)", 0, 2)
    in_supply = TickField("It can trace supply now")
    name = forms.CharField(label="Unit", max_length=MOST_CALLED, required=False)
    id = CounterField()
    reading = Pick.among("A Fresh unit hurt by Attrition", supply.AttritionReading)


class SupplyForm(HelperForm):
    """Inputs of a way to supply."""

    seldom = ("links",)

    side = shared.side()
    start = shared.area("Where the unit stands")
    controlled = shared.areas("Areas and Zones that its side controls")
    german_areas = shared.areas("Or all that the German controls")
    links = forms.CharField(label="Which touch (6-7 6-C), if no chart says it", max_length=4000, required=False)


class IsolationForm(HelperForm):
    """Inputs of an isolated unit's factors."""

    af = shared.PrintedFactorField("Attack Factor (or *)", initial="0")
    df = NumberField("Defense Factor", 0, 12)
    mf = NumberField("Movement Factor", 0, 12)
    level = NumberField("Isolation marker (0, 1 or 2)", 0, 2)


class ArmourReplacementForm(HelperForm):
    """Inputs of a new tank."""

    rubble = NumberField("Rubble in Area 70", 0, 2)
    area70_lost = TickField("Area 70 has been German")


class VictoryRow(RowForm):
    """An Area of Victory Points."""

    asks = "vp"

    vp = NumberField("Victory Points", 1, 9, initial=None, required=True)
    german_controlled = TickField("German")
    supply = TickField("supplied")


class VictoryForm(HelperForm):
    """Inputs of a victory check."""

    seldom = ("reading",)

    date = DateField("Date", FIRST, LAST, None)
    points = NumberField("German Victory Points", 0, 60, initial=None)
    german_areas = shared.areas("Or what the German controls, if your chart has the map")
    areas = RowsField("Or each Area that has any", VictoryRow, lambda row: weeks.VictoryArea(**row), most=40)
    reading = Pick.among("The spread", weeks.SpreadReading)


class WithdrawalForm(HelperForm):
    """Inputs of a withdrawal."""

    seldom = ("what", "german_af", "russian_afs", "scheduled_type", "other_type", "other_af")

    who = lists.units_by_name("Who leaves, by name")
    what = Pick.among("Asked about", weeks.Withdrawing)
    german_af = NumberField("Attack Factor of the German unit that should go", 0, 20)
    russian_afs = TokensField("Attack Factors of those that come back", low=0, high=20)
    scheduled_type = forms.CharField(label="Its type", max_length=20, required=False)
    other_type = forms.CharField(label="Type of the other unit", max_length=20, required=False)
    other_af = NumberField("Attack Factor of the other unit", 0, 20)


class ReinforcementForm(HelperForm):
    """Inputs of an entry."""

    filled_from = {"controlled": "german_areas"}
    seldom = ("who",)

    force = Pick.among("Who enters", weeks.Force)
    controlled = TokensField("What their side controls", {name: name for name in NAMES}, most=82)
    place = shared.area("Where")
    who = lists.units_by_name("Who enters, by name")
    goals = shared.AreasField()


class StackForm(HelperForm):
    """Inputs of an occupation limit."""

    combat_units = NumberField("Combat units of a side", 0, 40)
    zone = TickField("It is a Zone")


def offer_places(book: Book, inputs: Inputs) -> Sequence[ReadyAnswer]:
    """Each Area or Zone that the units of the list may enter as one press, until one has been named."""
    if not inputs["who"] or inputs["place"]:
        return ()
    areas = weeks.list_entries(inputs["force"], inputs["controlled"], inputs["goals"].split())
    return tuple(ReadyAnswer(f"Into {name_area(area)}", {"place": area}) for area in areas)


def dawn_dice(inputs: Inputs) -> tuple[DieSpec, ...]:
    """A die where Attrition calls for it."""
    if inputs["units"] or inputs["others"]:
        return ()
    return (shared.DIE,) if supply.needs_attrition(inputs["marker"], inputs["in_supply"]) else ()


def armour_dice(inputs: Inputs) -> tuple[DieSpec, ...]:
    """Two dice as long as the Tractor Works are Russian."""
    return () if inputs["area70_lost"] else (shared.DR,)


dawn_helper = partial(shared.game_helper, group="Dawn and week")

HELPERS = (
    dawn_helper(
        "dawn",
        title="Units at Dawn",
        purpose="Isolation, Attrition and dots of units: those that are isolated, or were.",
        rules=("6.41 Dawn", "12.22 Attrition"),
        form=DawnForm,
        rule=supply.dawn,
        outcomes=supply.DawnOutcome,
        dice=dawn_dice,
        dice_words="die, d6, of an isolated unit at marker 2",
        spare_dice=(shared.DIE.name,),
        together=True,
        settles=False,
        steps=("day",),
    ),
    dawn_helper(
        "supply",
        title="Supply",
        purpose="Whether a unit can trace supply, and which way.",
        rules=("12.1 Overview",),
        form=SupplyForm,
        rule=supply.supply,
        outcomes=supply.SupplyOutcome,
        steps=("day",),
    ),
    dawn_helper(
        "isolation",
        title="Isolated factors",
        purpose="What an Isolation marker leaves of a unit's factors.",
        rules=("12.21 Combat Factors",),
        form=IsolationForm,
        rule=supply.isolation,
        outcomes=IsShown,
        steps=(),
    ),
    dawn_helper(
        "armour-replacement",
        title="Armour replacement",
        purpose="Whether the Tractor Works bring a tank this Dawn.",
        rules=("13.2 Rate",),
        form=ArmourReplacementForm,
        rule=weeks.armour_replacement,
        outcomes=weeks.ArmourOutcome,
        dice=armour_dice,
        dice_words="dr, 2d6, while Area 70 has never been German",
        spare_dice=(shared.DR.name,),
        steps=("day",),
    ),
    dawn_helper(
        "victory",
        title="Weekly victory check",
        purpose="German Victory Points against the week's spread.",
        rules=("19.1 Victory Points", "19.2 Resolution"),
        form=VictoryForm,
        rule=weeks.victory,
        outcomes=weeks.VictoryOutcome,
        steps=("day",),
    ),
    dawn_helper(
        "withdrawal",
        title="Withdrawals",
        purpose="Which Germans leave; what the Russian revives for one that stays, or whether another may go instead.",
        rules=("21.1 Withdrawals",),
        form=WithdrawalForm,
        rule=weeks.withdrawal,
        outcomes=Allowed,
        settles=False,  # the German may keep some (21.1)
        decided_by="side",
        steps=("day",),
    ),
    dawn_helper(
        "entry",
        title="Entry of reinforcements",
        purpose="Where German reinforcements, 64th Army and guns that return may enter.",
        rules=("15.22 Non-Combat Units", "18.2 Point of Entry", "21.1 Withdrawals"),
        form=ReinforcementForm,
        rule=weeks.entry,
        outcomes=Allowed,
        steps=("day",),
        offers=offer_places,
        decided_by="side",
    ),
    dawn_helper(
        "stack",
        title="Occupation limit",
        group="Movement",
        purpose="Whether a side's units have room in an Area.",
        rules=("7.1 Area", "7.2 Strategic Movement Zone"),
        form=StackForm,
        rule=limits.stack,
        outcomes=Allowed,
    ),
)
