"""Helpers of movement: costs, how far, where not; Infiltration, Regrouping, Ranged Attacks."""

from collections.abc import Sequence
from functools import partial

from django import forms

from firefight.engine.charts.book import Book
from firefight.engine.rolls.answers import Allowed, IsShown
from firefight.kit import CounterField, HelperForm, Inputs, NumberField, Pick, PlaceField, ReadyAnswer, TickField

from ..rules import infiltration, kinds, marching, movement
from ..rules.areas import AREAS, name_area, read_areas
from ..rules.marching import read_goals, write_goals
from ..rules.sides import Time
from . import lists, shared
from .shared import DIE, game_helper

NIGHT, DAY = (Time.NIGHT.value,), (Time.DAY.value,)


class GoalsField(CounterField):
    """Which Areas they may enter, and for how many MF: only a match fills it, nobody is asked; "" without one."""

    def clean(self, value: object) -> str:
        return write_goals(read_goals(value))


class MoveForm(HelperForm):
    """Inputs of a move. In a match its counters fill all but where they go."""

    seldom = (
        "who",
        "regroups",
        "artillery",
        "paid",
        "rubble",
        "time",
        "fresh_enemy",
        "spent_enemy",
        "enemy_zoc",
    )

    start = PlaceField("Area that they leave", AREAS)
    goal = PlaceField("Next Area", AREAS)
    who = lists.units_by_name("Who moves, by name")
    mf = NumberField("MF of the slowest", 0, 24, initial=None)
    paid = NumberField("MF used or owed already", 0, 24)
    fresh_enemy = NumberField("Fresh enemy Combat units there", 0, 40)
    spent_enemy = NumberField("Spent enemy Combat units there", 0, 40)
    enemy_zoc = TickField("In enemy ZOC")
    rubble = lists.rubble_level()
    time = shared.time()
    regroups = TickField("Spent units, which regroup")
    artillery = TickField("Artillery, which enters without attacking")
    goals = GoalsField()


class EntryForm(HelperForm):
    """Inputs of what it costs to enter."""

    area = PlaceField("Area that is entered", AREAS)
    fresh_enemy = NumberField("Fresh enemy Combat units there", 0, 10)
    spent_enemy = NumberField("Spent enemy Combat units there", 0, 10)
    enemy_zoc = TickField("In enemy ZOC")
    time = shared.time()
    rubble = lists.rubble_level()
    group = lists.group("Group that is attacked without entering")


class MovementForm(HelperForm):
    """Inputs of a movement allowance."""

    printed = NumberField("Printed MF", 0, 12, initial=4)
    kind = Pick.among("MF", kinds.Transport)
    level = NumberField("Isolation marker", 0, 2)
    attacks = TickField("It attacks in this impulse")
    leaves_enemy_area = TickField("It leaves an enemy-occupied Area")
    enters_enemy_control_or_rubble = TickField("It enters an enemy-controlled or Rubble Area")
    russian_fresh_night = TickField("A Fresh Russian unit at night")


class EnemyAreaForm(HelperForm):
    """Inputs of the ways into and out of an enemy-occupied Area."""

    unit = Pick.among("Unit", movement.UnitClass)
    fresh_enemy = NumberField("Fresh enemy Combat units there", 0, 10)
    spent_enemy = NumberField("Spent enemy Combat units there", 0, 10)
    entering_leader = TickField("A unit with an Attack Factor enters with it")
    group_cleared_it = TickField("Its own Group has removed the enemies in this impulse")


class ZocForm(HelperForm):
    """Inputs of a step of armour."""

    from_zoc = TickField("Out of an enemy ZOC")
    to_zoc = TickField("Into an enemy ZOC")
    from_guarded = TickField("Enemy armour, AT or AA in the Area that it leaves")
    to_guarded = TickField("Enemy armour, AT or AA in the Area that it enters")


class RegroupForm(HelperForm):
    """Inputs of Regrouping."""

    by_day = TickField("By day")
    isolated = TickField("The unit is isolated")
    into_enemy_control = TickField("Into an enemy-controlled Area")
    enemy_in_target = TickField("Enemy Combat units are there")


class RangedForm(HelperForm):
    """Inputs of a Ranged Attack."""

    time = shared.time()
    zone_involved = TickField("From, to or between Zones")
    mf_left = NumberField("MF left", 0, 24, initial=2)
    group = lists.group("Group that is attacked")


class InfiltrationForm(HelperForm):
    """Inputs of an Infiltration. In a match its counter fills all but where it goes."""

    seldom = ("start", "name")

    area = PlaceField("Area that is infiltrated", AREAS)
    start = PlaceField("Area that it leaves", AREAS)
    tem = lists.tem()
    rubble = lists.rubble_level()
    by_day = TickField("By day")
    not_fresh = TickField("The unit is not Fresh")
    not_infantry = TickField("The unit is not infantry")
    from_german_area = TickField("From a German-controlled Area")
    into_zone = TickField("Into or out of a Zone")
    german_fresh = TickField("Fresh Germans are there")
    name = forms.CharField(label="Unit", max_length=60, required=False)
    id = CounterField()
    goals = shared.AreasField()


def offer_areas(book: Book, inputs: Inputs) -> Sequence[ReadyAnswer]:
    """Each Area that may be infiltrated as one press, until one has been named."""
    areas, tems = [] if inputs["area"] else inputs["goals"].split(), read_areas(book).tem
    return tuple(
        ReadyAnswer(f"Into {name_area(area)}", {"area": area, "tem": str(tems.get(area, ""))}) for area in areas
    )


def offer_goals(book: Book, inputs: Inputs) -> Sequence[ReadyAnswer]:
    """Each Area that they may enter as one press, until one has been named."""
    goals = {} if inputs["goal"] else read_goals(inputs["goals"])
    return tuple(ReadyAnswer(_say_goal(goal, mf), {"goal": goal}) for goal, mf in goals.items())


def _say_goal(goal: str, mf: int) -> str:
    """ "Into Area 25, 4 MF"; those who regroup pay none."""
    return f"Into {name_area(goal)}{f', {mf} MF' if mf else ''}"


move_helper = partial(game_helper, group="Movement")

HELPERS = (
    move_helper(
        "move",
        title="Move",
        purpose="Units go into the next Area, as far as their MF and the enemy let them; or regroup.",
        rules=("8.2 Movement", "8.22 Movement Into / Out of Enemy ZOC", "8.28 Regrouping", "8.34 Attack MF Cost"),
        form=MoveForm,
        rule=marching.move,
        outcomes=IsShown,
        verb="Move",
        offers=offer_goals,
    ),
    move_helper(
        "entry-cost",
        title="Movement costs",
        purpose="The MF that it takes to enter an Area, and to attack.",
        rules=("8.24 MF Costs", "8.34 Attack MF Cost"),
        form=EntryForm,
        rule=movement.entry_cost,
        outcomes=IsShown,
    ),
    move_helper(
        "movement",
        title="Movement allowance",
        purpose="How many MF a unit has in this impulse.",
        rules=("8.26 Mechanized Units", "8.27 Motorized Units", "12.21 Combat Factors", "16.3 Movement"),
        form=MovementForm,
        rule=movement.movement,
        outcomes=movement.Allowance,
    ),
    move_helper(
        "enemy-area",
        title="Into and out of enemy Areas",
        purpose="Whether a unit may enter an enemy-occupied Area, and leave it.",
        rules=("8.22 Movement Into / Out of Enemy ZOC", "8.22 Entrance of Enemy Occupied Area"),
        form=EnemyAreaForm,
        rule=movement.enemy_area,
        outcomes=IsShown,
    ),
    move_helper(
        "zoc-step",
        title="Armour from ZOC to ZOC",
        purpose="Whether armour may step straight from one enemy ZOC into another.",
        rules=("8.22 Movement Into / Out of Enemy ZOC",),
        form=ZocForm,
        rule=movement.zoc_step,
        outcomes=Allowed,
    ),
    move_helper(
        "ranged-attack",
        title="Ranged Attack allowed",
        purpose="Whether a Ranged Attack may be made.",
        rules=("8.31 Ranged Attacks", "11.4 Attacks"),
        form=RangedForm,
        rule=movement.ranged_attack,
        outcomes=Allowed,
        steps=DAY,
    ),
    move_helper(
        "infiltration",
        title="Infiltration",
        purpose="Whether Russian infantry slips into an Area at night.",
        rules=("8.29 Infiltration",),
        form=InfiltrationForm,
        rule=infiltration.infiltration,
        outcomes=infiltration.Infiltration,
        dice=(DIE,),
        offers=offer_areas,
        steps=NIGHT,
    ),
    move_helper(
        "regroup",
        title="Regrouping",
        purpose="Whether a Spent unit may regroup.",
        rules=("8.28 Regrouping", "16.5 Regrouping"),
        form=RegroupForm,
        rule=movement.regroup,
        outcomes=Allowed,
        steps=NIGHT,
    ),
)
