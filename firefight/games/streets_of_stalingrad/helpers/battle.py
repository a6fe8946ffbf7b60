"""Helpers of an attack with all its steps, and of fire at movers: what is declared, and what sides decide (9.02)."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

from django import forms

from firefight.engine.charts.book import Book
from firefight.kit import HelperForm, Inputs, NumberField, Pick, ReadyAnswer, TickField, TokensField, gather_inputs

from ..rules import battle, decisions, sequence
from ..rules.marking import mark
from ..rules.record import MOST_STUKAS
from ..rules.terms import Side
from . import shared
from .combat import DAY, GROUP, AttackForm
from .shared import MOST_FIRING, MOST_POINTS, game_helper


class BattleForm(AttackForm):
    """Inputs of an attack with all its steps: those of the attack, and who else takes part."""

    remembered: ClassVar[tuple[str, ...]] = (*AttackForm.remembered, "stuka_af")
    ahead = ("hex", "regiment", "gun_names", "flak_names")
    filled_from = {**AttackForm.filled_from, "stukas": ""}  # the record says how many are left, not how many fly
    headings: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "The target": AttackForm.headings["The target"],
        "The attackers": AttackForm.headings["The attackers"],
        "Guns, Stukas, other hexes": ("more_hexes", "places", "by_hex", "guns", "stukas", "stuka_af"),
        "A breakthrough": ("breakthrough", "crosses_wall_or_balka", "interdicted"),
        "Before the attack": ("nkvd_units", "dogs"),
        DAY: AttackForm.headings[DAY],
    }
    seldom = (
        *("more_hexes", "places", "by_hex", "guns", "stukas", "stuka_af", "breakthrough", "crosses_wall_or_balka"),
        "interdicted",
        *("nkvd_units", "dogs"),
        *(name for name in AttackForm.seldom if name != "flying"),
    )

    flying = None  # type: ignore[assignment]  # counted as they are declared
    points = shared.points("AF that attack")
    more_hexes = TokensField("AF from other hexes, each", low=1, high=MOST_POINTS, most=decisions.MOST_HEXES - 1)
    places = TokensField("Hexes from which they attack", most=decisions.MOST_HEXES)
    by_hex = TokensField("Counters listed that stand in each", low=1, high=MOST_FIRING, most=decisions.MOST_HEXES)
    by = shared.firing(with_sorts=True)
    guns = NumberField("AF of guns that help", 0, MOST_POINTS)
    stukas = NumberField("Stukas", 0, MOST_STUKAS)
    stuka_af = NumberField("AF of each Stuka", 1, 20, initial=1)
    breakthrough = TickField("A breakthrough attack")
    crosses_wall_or_balka = TickField("Across the Tartar Wall or a balka")
    interdicted = TickField("The hex is interdicted")
    nkvd_units = NumberField("NKVD units of a regiment never fired at", 0, 12)
    regiment = forms.CharField(label="Their regiment, to be tested once", max_length=20, required=False)
    dogs = TickField("Mine dogs next to German armour")


class PassageForm(HelperForm):
    remembered = ("terrain",)
    beside = ("hex", "terrain")
    buttons = shared.TERRAIN_FIRST
    ahead = ("hex",)
    seldom = (
        *("pavlov_house_target", "target_on_minefield", "soviet_target_on_volga", "target_only_river_flotilla"),
        *("combat_units", "immobilized", "date", "at"),
    )

    hex = shared.target_hex("Hex that they enter or leave")
    side = shared.side("Who moves")
    terrain = shared.terrain("Terrain that they enter")
    is_vehicle = TickField("Vehicles of 12 MP or more: a balka is clear")
    target_armored = TickField("Armour among them")
    leader_in_target = TickField("A leader with them")
    pavlov_house_target = TickField("He is Pavlov, in his house")
    target_on_minefield = TickField("On an enemy minefield")
    soviet_target_on_volga = TickField("Soviets on a Volga hex")
    target_only_river_flotilla = TickField("Nothing but river flotilla")
    combat_units = NumberField("Combat units that move, no immobilized tanks", 0, 12)
    immobilized = NumberField("Immobilized tanks", 0, 4)
    date = shared.date()
    at = shared.struck()


class FallAwayForm(HelperForm):
    side = shared.side("Who attacked")


class DecideForm(HelperForm):
    filled_from = {"side": ""}
    seldom = ("who",)

    side = shared.side("Who decides")
    question = Pick.among("What", decisions.Question)
    hexes = TokensField(
        "AF of each attacking hex, 0 for one that is out", low=0, high=MOST_POINTS, most=decisions.MOST_HEXES
    )
    places = TokensField("Those hexes", most=decisions.MOST_HEXES)
    one_stays = TickField("One unit has to stay")
    choice = Pick("Choice", decisions.CHOICES)
    who = shared.struck("Which leader, by name")


def offer_choices(book: Book, inputs: Inputs) -> Sequence[ReadyAnswer]:
    """Each choice as one press; none where one is made."""
    if inputs["choice"]:
        return ()
    situation = (inputs["question"], Side(inputs["side"]), inputs["hexes"], inputs["one_stays"], inputs["places"])
    choices = decisions.list_choices(*situation)
    return tuple(ReadyAnswer(words, {"choice": choice}) for choice, words in choices.items())


HELPERS = (
    game_helper(
        "battle",
        title="Attack, step by step",
        group=GROUP,
        purpose="Retreat, defensive fire, the attack, losses, advance, counter-attack: one decision after the other.",
        rules=battle.RULES,
        form=BattleForm,
        rule=mark(gather_inputs(battle.WholeAttack, battle.declare_attack)),
        outcomes=battle.BattleStage,
        steps=("3", "5", "7", "8", "10", "12", "14", "15"),
        verb="Declare",
        leads=sequence.begin,
    ),
    game_helper(
        "passage",
        title="Moving under fire",
        group=GROUP,
        purpose="The mover says where; the other side fires from each hex separately.",
        rules=("11.1", "11.4", "11.8", "11.10"),
        form=PassageForm,
        rule=battle.declare_passage,
        outcomes=battle.BattleStage,
        steps=("3", "4", "7", "10", "11", "14"),
        verb="Declare",
        leads=sequence.begin_passage,
    ),
    game_helper(
        "fall-away",
        title="Attack falls away",
        group=GROUP,
        purpose="No attacker is left.",
        rules=("9.12", "9.66"),
        form=FallAwayForm,
        rule=decisions.fall_away,
        outcomes=decisions.FallAway,
    ),
    game_helper(
        "decide",
        title="Decision in an attack",
        group=GROUP,
        purpose="Who leaves, who fires, who advances, who strikes back.",
        rules=battle.RULES,
        form=DecideForm,
        rule=decisions.decide,
        outcomes=decisions.Decision,
        offers=offer_choices,
        settles=False,
        decided_by="side",
        verb="Decide",
        leads=partial(sequence.lead_on, "decide"),
    ),
)
