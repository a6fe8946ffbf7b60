"""Helpers of an attack with all its steps: its declaration, and what sides decide in its course (9.02)."""

from collections.abc import Sequence
from functools import partial

from django import forms

from firefight.engine.charts.book import Book
from firefight.kit import HelperForm, Inputs, NumberField, Pick, ReadyAnswer, TickField, TokensField

from ..rules import battle, decisions
from ..rules.marking import mark
from ..rules.terms import Side
from . import shared
from .combat import GROUP, AttackForm
from .shared import MOST_POINTS, game_helper

MOST_STUKAS = 21


class BattleForm(AttackForm):
    """Inputs of an attack with all its steps: those of the attack, and who takes part besides."""

    ahead = ("hex", "regiment", "gun_names")
    filled_from = {**AttackForm.filled_from, "stukas": ""}  # how many are left says the record, not how many fly
    seldom = (
        *("more_hexes", "guns", "stukas", "stuka_af", "breakthrough", "nkvd_units", "dogs"),
        *(name for name in AttackForm.seldom if name != "flying"),
    )

    flying = None  # type: ignore[assignment]  # counted as they are declared
    points = shared.points("AF that attack")
    more_hexes = TokensField("AF from other hexes, each", low=1, high=MOST_POINTS, most=decisions.MOST_HEXES - 1)
    guns = NumberField("AF of guns besides", 0, MOST_POINTS)
    stukas = NumberField("Stukas", 0, MOST_STUKAS)
    stuka_af = NumberField("AF of each Stuka", 1, 20, initial=1)
    breakthrough = TickField("A breakthrough attack")
    nkvd_units = NumberField("NKVD units of a regiment never fired at", 0, 12)
    regiment = forms.CharField(label="Their regiment (a match keeps that it was tested)", max_length=20, required=False)
    dogs = TickField("Mine dogs next to German armour")


class DecideForm(HelperForm):
    """Inputs of a decision in the course of an attack."""

    filled_from = {"side": ""}

    side = shared.side("Who decides")
    question = Pick.among("What", decisions.Question)
    hexes = TokensField(
        "AF of each attacking hex, 0 for who is out", low=0, high=MOST_POINTS, most=decisions.MOST_HEXES
    )
    choice = Pick("Choice", decisions.CHOICES)


def offer_choices(book: Book, inputs: Inputs) -> Sequence[ReadyAnswer]:
    """Each choice as one press; none where it is made."""
    if inputs["choice"]:
        return ()
    choices = decisions.list_choices(inputs["question"], Side(inputs["side"]), inputs["hexes"])
    return tuple(ReadyAnswer(words, {"choice": choice}) for choice, words in choices.items())


HELPERS = (
    game_helper(
        "battle",
        title="Attack, step by step",
        group=GROUP,
        purpose="Retreat, defensive fire, the attack, losses, advance, counter-attack: one decision after the other.",
        rules=battle.RULES,
        form=BattleForm,
        rule=mark(battle.declare_attack),
        outcomes=battle.BattleStage,
        steps=("3", "5", "7", "8", "10", "12", "14", "15"),
        verb="Declare",
        leads=battle.begin,
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
        leads=partial(battle.lead_on, "decide"),
    ),
)
