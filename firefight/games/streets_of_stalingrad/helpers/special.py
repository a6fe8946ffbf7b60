"""Helpers of special units: mine dogs, tanks, NKVD, Herman; and who may do what in combat."""

from functools import partial

from django import forms

from firefight.engine.rolls.answers import Allowed
from firefight.engine.rolls.dice import DieSpec
from firefight.kit import HelperForm, Inputs, NumberField, Pick, TickField

from ..rules import infiltration, limits, mine_dogs, soviet_units
from ..rules.dates import INFILTRATION_FROM
from ..rules.marking import mark_dog, mark_fate, mark_infiltration
from ..rules.sequence import lead_on
from . import shared
from .shared import DIE, card_helper, game_helper

GROUP, MAY = "Soviet special units", "May I: combat"
ATTACK_DIE, DEFENCE_DIE = DieSpec("attack_die", 10, "d10, attack"), DieSpec("defence_die", 10, "d10, fire back")


class InfiltrationForm(HelperForm):
    seldom = ("by", "at")

    date = shared.date()
    attack_af = NumberField("AF of the infantry with Herman", 1, 40, initial=None)
    defence_df = NumberField("DF in the hex that is attacked", 0, 40)
    by = shared.firing(with_sorts=True)
    at = shared.struck("Who is attacked, by name; then who else is in its hex")


class MineDogForm(HelperForm):
    """A mine dog asks for nothing but, in a match, who is lost."""

    seldom = ("by", "at")

    by = shared.firing(with_sorts=True)
    at = shared.struck("Which armoured unit, by name")


class TankForm(HelperForm):
    seldom = ("date", "in_box", "breakdown_boxes", "who")

    event = Pick.among("Why", soviet_units.TankEvent)
    terrain = shared.terrain()
    date = shared.date()
    in_box = TickField("In an East Bank box")
    breakdown_boxes = shared.agreed("Tanks in boxes", {"map": "roll once on the map", "boxes": "roll there"})
    who = shared.struck("Which tank, by name")


class NkvdForm(HelperForm):
    ahead = ("regiment",)
    seldom = ("who",)

    regiment = forms.CharField(label="Regiment (a match keeps that it was tested)", max_length=20, required=False)
    event = Pick.among("Why", soviet_units.NkvdEvent)
    with_leader = TickField("A leader is with it")
    is_leader = TickField("It is a leader")
    regiment_already_tested = TickField("Its regiment was tested before")
    who = shared.struck("Which unit, by name")


class RetreatForm(HelperForm):
    """Inputs of a retreat before combat. Whose phase it is does not say who retreats."""

    filled_from = {"side": ""}

    side = shared.side("Who retreats")
    only_indirect = TickField("No direct-fire unit attacks")
    breakthrough = TickField("A breakthrough attack")
    opportunity_fired = TickField("It used opportunity fire in the last enemy movement phase")
    pinned = TickField("Pinned")
    guards_or_marine = TickField("Guards or Marines")
    with_house_leader = TickField("With Pavlov, Herman or a commissar")
    with_or_adjacent_leader = TickField("With or next to another leader")


class BreakthroughForm(HelperForm):
    ahead = ("hex",)

    hex = shared.target_hex()
    terrain = shared.terrain("Terrain of the target")
    crosses_wall_or_balka = TickField("Across the Tartar Wall or a balka")
    interdicted = TickField("The hex is interdicted")
    nobody_adjacent = TickField("No unpinned attacker is next to it")
    pinned_or_spent_in_attack = TickField("A pinned or spent unit takes part")
    already_this_phase = TickField("Attacked in this way in this phase")
    passed_marker = TickField("An attacker has passed a breakthru marker")


class OpportunityForm(HelperForm):
    """Inputs of whether a unit has opportunity fire. Whose phase it is does not say who fires."""

    filled_from = {"side": ""}
    seldom = ("indirect", "crossing_volga")

    unit = Pick.among("Who fires", limits.Firer)
    side = shared.side()
    distance = NumberField("Hexes away", 1, 30, initial=1)
    unit_range = NumberField("Its range", 0, 30, initial=1)
    under_cover = TickField("The target is not in a clear hex")
    no_los = TickField("It, or a mortar's spotter, does not see the target")
    pinned = TickField("Pinned")
    fired_this_phase = TickField("It fired in this phase")
    attacked_by_adjacent_infantry = TickField("Unpinned infantry next to it attacks it")
    not_moving = TickField("The target does not move")
    indirect = Pick("Guns with it", {"": "—", **{guns.value: guns.word for guns in limits.Indirect}})
    crossing_volga = TickField("The target crosses the Volga")


def infiltration_dice(inputs: Inputs) -> tuple[DieSpec, ...]:
    """None before 26 September; the second only where somebody may fire back."""
    if inputs["date"] < INFILTRATION_FROM:
        return ()
    return (ATTACK_DIE, DEFENCE_DIE) if inputs["defence_df"] else (ATTACK_DIE,)


def tank_dice(inputs: Inputs) -> tuple[DieSpec, ...]:
    """No die where the tank does not roll."""
    tank_inputs = {name: value for name, value in inputs.items() if name != "who"}
    return () if soviet_units.find_no_tank_roll(**tank_inputs) else (DIE,)


def nkvd_dice(inputs: Inputs) -> tuple[DieSpec, ...]:
    """No die for units that are exempt."""
    nkvd_inputs = {name: value for name, value in inputs.items() if name != "who"}
    return () if soviet_units.find_no_nkvd_roll(**nkvd_inputs) else (DIE,)


HELPERS = (
    game_helper(
        "mine-dog",
        title="Mine dog",
        group=GROUP,
        purpose="One dog at one German armoured unit beside it.",
        rules=("16.23 Mine Dogs",),
        form=MineDogForm,
        rule=mark_dog(mine_dogs.mine_dog),
        outcomes=mine_dogs.MineDog,
        brief={"both_lost": "both lost", "dog_lost": "dog lost"},
        dice=(DIE,),
        decided_by="side",
        leads=partial(lead_on, "mine-dog"),
    ),
    game_helper(
        "tank",
        title="Soviet tanks",
        group=GROUP,
        purpose="Whether one becomes an immobilized tank.",
        rules=("16.31", "16.32", "16.33"),
        form=TankForm,
        rule=mark_fate(soviet_units.tank, {"immobilized": "immobilized", "nothing": "eliminated"}),
        outcomes=soviet_units.Tank,
        dice=tank_dice,
        dice_words="die, d10, where the tank rolls",
        spare_dice=(DIE.name,),
        together=True,
        decided_by="side",
        leads=partial(lead_on, "tank"),
    ),
    game_helper(
        "nkvd",
        title="NKVD rolls",
        group=GROUP,
        purpose="Reliability, and isolation in phase 1.",
        rules=("16.83 Militia Reliability", "16.85"),
        form=NkvdForm,
        rule=mark_fate(soviet_units.nkvd, {"removed": "eliminated"}),
        outcomes=soviet_units.Nkvd,
        dice=nkvd_dice,
        dice_words="die, d10, where the unit rolls",
        spare_dice=(DIE.name,),
        decided_by="side",
        leads=partial(lead_on, "nkvd"),
    ),
    game_helper(
        "infiltration",
        title="Herman's infiltration",
        group=GROUP,
        purpose="His attack behind the lines, and the fire at him.",
        rules=("13.1", "13.5", "13.6"),
        form=InfiltrationForm,
        rule=mark_infiltration(infiltration.infiltration),
        outcomes=infiltration.Infiltration,
        brief={"target_lost": "German lost", "thrown_back": "Herman lost", "both_stand": "nobody lost"},
        dice=infiltration_dice,
        dice_words="attack_die, d10; defence_die, d10, if the target stands",
        spare_dice=(ATTACK_DIE.name, DEFENCE_DIE.name),
        steps=("15",),
    ),
    card_helper(
        "retreat",
        title="Retreat before combat",
        group=MAY,
        purpose="Who may leave before an attack.",
        rules=("9.4 Retreat Before Combat", "9.44", "9.46"),
        form=RetreatForm,
        rule=limits.retreat_before_combat,
        outcomes=Allowed,
    ),
    card_helper(
        "breakthrough",
        title="Breakthrough attack",
        group=MAY,
        purpose="Whether a hex may be attacked in a movement phase.",
        rules=("10.2", "10.4"),
        form=BreakthroughForm,
        rule=limits.breakthrough,
        outcomes=Allowed,
    ),
    card_helper(
        "opportunity",
        title="Opportunity fire allowed",
        group=MAY,
        purpose="Who may fire at movers.",
        rules=("11.1", "11.2", "11.4"),
        form=OpportunityForm,
        rule=limits.opportunity,
        outcomes=Allowed,
    ),
)
