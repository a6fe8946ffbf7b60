"""Helpers of guns and aircraft: bombardment, spotting, command, Stukas and what is fired at them."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import ClassVar

from django import forms

from firefight.engine.rolls.answers import Allowed, Counted, IsShown
from firefight.engine.rolls.dice import DieSpec
from firefight.kit import HelperForm, Inputs, NumberField, Pick, TickField, TokensField

from ..rules import air, bombardment, limits, spotting
from ..rules.crt import CombatOutcome
from ..rules.marking import mark
from ..rules.sequence import lead_on
from . import shared
from .combat import BRIEF, ShotForm
from .shared import DIE, MOST_POINTS, card_helper, game_helper

GROUP = "Guns and aircraft"
BOMBARDING = ("2", "6", "9", "13")


class BombardmentForm(ShotForm):
    """Inputs of a bombardment. Both sides bombard in a phase, so it does not say who fires."""

    filled_from = {"firer": ""}
    remembered = ("table", "firer", "spotting", "terrain")
    beside = ("spotting", "terrain")
    headings: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "The target": (
            *("terrain", "terrain_drm", "fortification", "target_armored", "target_all_armored", "leader_in_target"),
            *("adjacent_leader", "pavlov_house_target", "target_on_enemy_minefield", "own_hex", "at"),
        ),
        "Who fires": ("spotting", "unseen", "out_of_supply", "underlined_af", "nkvd", "op_on_1039", "by"),
        "The day": ("date", "other_drm"),
    }
    ahead = ("hex", "flying", "guns", "gun_names")
    seldom = (
        *("flying", "guns", "gun_names"),
        *("date", "target_on_enemy_minefield", "target_all_armored", "op_on_1039", "own_hex", "target_armored"),
        *(
            "leader_in_target",
            "pavlov_house_target",
            "adjacent_leader",
            "terrain_drm",
            "underlined_af",
            "other_drm",
            "unseen",
        ),
        *("by", "at"),
        *("out_of_supply", "nkvd"),
    )

    table = Pick.among("Table", bombardment.FireTable)
    firer = shared.side("Who fires")
    points = shared.points("AF of guns and Stukas")
    flying = shared.flying()
    guns = NumberField("AF of the guns with them", 0, MOST_POINTS)
    fortification = TickField("Fortification")
    target_all_armored = TickField("Nothing but armour, trains or immobilized tanks")
    target_on_enemy_minefield = TickField("Target on an enemy minefield")
    op_on_1039 = TickField("Observer on 1039")
    own_hex = TickField("Interdicts one's own hex")
    unseen = TickField("Neither the guns nor a spotter of theirs sees the hex")
    leader_in_target = TickField("Leader in the target hex")
    adjacent_leader = TickField("Enemy leader next to the target, himself not attacked")
    terrain_drm = NumberField("Terrain on the CRT, if not the chart's", -9, 9, initial=None)
    by = shared.firing()


class SpottingForm(HelperForm):
    seldom = ("capacity_of",)

    spotter = Pick.among("Who sees the target", spotting.Spotter, initial=spotting.Spotter.OP.value)
    out_of_command = TickField("The guns are not in his command")
    not_adjacent = TickField("Not next to the target")
    table = Pick.among(
        "Table",
        (bombardment.FireTable.CRT, bombardment.FireTable.WBBT, bombardment.FireTable.EBBT),
    )
    named_leader = TickField("A named leader, not a commissar")
    position = Pick.among("From", spotting.Standpoint)
    over = Pick.among("Over", spotting.Over)
    capacity_of = Pick.among("How much is spotted for by", spotting.Spots, initial=spotting.Spots.OTHER.value)


class CommandForm(HelperForm):
    side = shared.side()
    artillery = Pick.among("Guns", spotting.Artillery)
    artillery_path = forms.CharField(
        label="Formation that owns them, from the top", max_length=60, required=False, initial="94/276/II"
    )
    spotter_type = Pick.among("Who spots", spotting.SpotterType)
    spotter_path = forms.CharField(
        label="The spotter's formation; LI, 62 or 6 for the top", max_length=60, required=False
    )


class AntiAircraftForm(HelperForm):
    seldom = ("flying", "stuka_af", "if_points")

    points = NumberField("Circled AF that fire", 0, MOST_POINTS // 2)
    east_bank_box = TickField("At an East Bank box: its 10 more")
    flying = NumberField("Stukas that come", 0, 21, initial=None)
    stuka_af = NumberField("AF of each Stuka", 1, 20, initial=None)
    if_points = NumberField("AF of the guns with them", 0, MOST_POINTS // 2)


class StukaTargetForm(HelperForm):
    phase = NumberField("Phase", 1, 15, initial=2)
    use = Pick.among("For what", air.Use)
    terrain = shared.terrain("Terrain of the target")
    adjacent_kinds = TokensField("Germans next to it, by kind (infantry, bridge)", most=20)
    lw_op_sees = TickField("The Luftwaffe's observer sees it")


class KatyushaForm(HelperForm):
    adjacent_kinds = TokensField("Soviets next to the target, by kind (infantry, bridge)", most=20)


class InterdictionForm(HelperForm):
    ahead = ("hex", "flying", "gun_names")
    seldom = ("flying", "gun_names")

    hex = shared.target_hex()
    points = NumberField("AF on the hex", 0, MOST_POINTS)
    unit = Pick.among("Who moves", limits.Mover)
    flying = shared.flying()
    gun_names = shared.gun_names()


class BoxGunsForm(HelperForm):
    units = TokensField("Which guns, by name", most=20)


AA_DIE = replace(DIE, is_optional=True)


def aa_dice(inputs: Inputs) -> tuple[DieSpec, ...]:
    """No die where nobody fires; a card asks for it together with the points."""
    return (DIE,) if air.count_aa(inputs["points"], inputs["east_bank_box"]) else (AA_DIE,)


HELPERS = (
    game_helper(
        "bombardment",
        title="Bombardment",
        group=GROUP,
        purpose="Guns and Stukas alone, on either bank.",
        rules=("14.45", "14.6 Bombardment DRMs"),
        form=BombardmentForm,
        rule=mark(bombardment.bombardment),
        outcomes=(*CombatOutcome, *bombardment.Box),
        dice=(DIE,),
        brief=BRIEF,
        steps=BOMBARDING,
        decided_by="firer",
    ),
    game_helper(
        "box-guns",
        title="Guns pinned in a box",
        group=GROUP,
        purpose="Which guns on the East Bank wait for phase 9.",
        rules=("14.54", "EBBT"),
        form=BoxGunsForm,
        rule=bombardment.box_guns,
        outcomes=Counted,
        settles=False,
    ),
    card_helper(
        "spotting",
        title="Spotting",
        group=GROUP,
        purpose="Its modifier, how far, for how much.",
        rules=("14.24", "14.25 Spotting Ranges", "14.31 Spotting Table"),
        form=SpottingForm,
        rule=spotting.spotting,
        outcomes=IsShown,
    ),
    card_helper(
        "command",
        title="In command",
        group=GROUP,
        purpose="Whether the guns are in the spotter's command.",
        rules=("14.36 Spotting Chain of Command", "14.39"),
        form=CommandForm,
        rule=spotting.command,
        outcomes=spotting.Command,
    ),
    game_helper(
        "anti-aircraft",
        title="Soviet AA fire",
        group=GROUP,
        purpose="Before every combat with Stukas.",
        rules=("15.4 Soviet Anti-Aircraft (AA) Fire", "15.45"),
        form=AntiAircraftForm,
        rule=air.anti_aircraft,
        outcomes=air.AntiAircraft,
        dice=aa_dice,
        dice_words="die, d10, where anybody fires",
        spare_dice=(DIE.name,),
        settles=False,
        decided_by="side",
        leads=partial(lead_on, "anti-aircraft"),
    ),
    card_helper(
        "stuka-target",
        title="Where Stukas may go",
        group=GROUP,
        purpose="Whether they may be sent there in this phase.",
        rules=("9.104", "15.11", "15.14"),
        form=StukaTargetForm,
        rule=air.stuka_target,
        outcomes=Allowed,
    ),
    card_helper(
        "katyusha",
        title="Katyushas",
        group=GROUP,
        purpose="Whether they may fire at a hex.",
        rules=("9.103", "14.05", "14.44"),
        form=KatyushaForm,
        rule=limits.katyusha,
        outcomes=Allowed,
    ),
    game_helper(
        "interdiction",
        title="Points on a hex",
        group=GROUP,
        purpose="What interdiction costs movers.",
        rules=("9.48", "14.84 Effects of Interdiction"),
        form=InterdictionForm,
        rule=limits.interdiction,
        outcomes=IsShown,
    ),
)
