"""Combat, and what a Fire Strength comes to before it."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from django import forms

from firefight.engine.board.chosen import ChosenOfSort
from firefight.engine.charts.book import Book
from firefight.engine.labels import words_of
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.text import join_words
from firefight.kit import (
    CountersField,
    Helper,
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

from ..counters import COUNTERS
from ..game import SLUG
from ..rules import combat, losses
from ..rules.box import UNITS
from ..rules.fractions import Rounding, write_factor
from ..rules.strength import Arm, StrengthOutcome, Target, fire_strength
from ..rules.terrain import SIDES, SOVIET, Terrain

MOST_FIRERS, MOST_STRUCK, MOST_WAYS = 20, 20, 20
DEFENCES = {"": "—", "soviet": "Soviets in that terrain", "german": "Germans, at Soviets in it"}
FACTORS = {factor: write_factor(Fraction(factor)) for factor in ("1", "2", "3", "0.5", "0.25")}
LETTERS = {"h": "0.5", "q": "0.25", "d": "2", "t": "3"}
MARKS: dict[str, dict[str, object]] = {
    **{letter: {"factor": factor} for letter, factor in LETTERS.items()},
    "i": {"indirect": True},
    "s": {"soviet_gun": True},
}


def side_field(label: str, initial: str) -> Pick:
    """One of the two sides."""
    return Pick(label, SIDES, initial=initial)


def terrain_field(label: str = "Terrain") -> Pick:
    """One of the chart's rows."""
    return Pick.among(label, Terrain)


def struck() -> CountersField:
    """Who is in the hex fired at; a match fills it."""
    return CountersField("Who is in the hex, by name", COUNTERS, role="targets", most=MOST_STRUCK, sorts=UNITS)


class FirerRow(RowForm):
    """One that fires."""

    asks = "strength"
    notation = Notation(
        r"\d{1,2}",
        MARKS,
        tail="name",
        hint="6 4 8h/103: spaces between; h halves, q quarters, d × 2, t × 3, i indirect, s Soviet gun",
    )

    strength = NumberField("Fire Strength", 1, 99, initial=None, required=True)
    factor = Pick("Factor", FACTORS, Fraction)
    name = forms.CharField(label="Name", max_length=combat.LONGEST_FIRER, required=False)
    indirect = TickField("Indirect fire")
    soviet_gun = TickField("Soviet gun")


class CombatForm(HelperForm):
    """Inputs of a fire on the Combat Results Table."""

    own_names = ("firers",)
    beside = ("kind", "terrain")
    seldom = ("adjacent", "drm", "depot_lost", "hex", "at")

    kind = Pick.among("Kind of fire", combat.Kind)
    strength = NumberField("Strength in all", 1, 999, initial=None)
    firers = RowsField("Who fires, one by one", FirerRow, lambda row: combat.Firer(**row), most=MOST_FIRERS)
    rounding = Pick.among("Round a fraction", Rounding)
    terrain = Pick(
        "Terrain",
        {"": "—", **words_of(Terrain)},
        lambda value: Terrain(value) if value else None,
    )
    occupant = side_field("Held by", SOVIET)
    engineer = TickField("An engineer takes part")
    adjacent = TickField("Artillery next to the hex")
    defence = Pick("Defensive fire", DEFENCES)
    drm = NumberField("Other DRM", -20, 20)
    depot_lost = TickField("Ammo Depot 2289 out of play")
    hex = forms.CharField(label="Hex, for the log", max_length=4, required=False)
    at = struck()


class FireStrengthForm(HelperForm):
    """Inputs of one Fire Strength."""

    side = side_field("Side", "german")
    arm = Pick.among("Who fires", Arm)
    strength = NumberField("Fire Strength", 1, 99, initial=None)
    terrain = terrain_field("Terrain fired into")
    occupant = side_field("Held by", SOVIET)
    adjacent = TickField("Next to the hex")
    target = Pick.among("Armor in the hex", Target)
    depot_lost = TickField("Ammo Depot 2289 out of play")
    air_on_own_hex = TickField("The Air Points attack the flak's own hex")


class LossesForm(HelperForm):
    """Inputs of losses where there is a choice."""

    number = NumberField("Units lost", 1, 9, initial=1)
    at = struck()
    level_bombers = TickField("Level Bombers attack")
    lost = TokensField("Who is lost, by place in that list", low=1, high=MOST_STRUCK, most=MOST_STRUCK)


def offer_losses(book: Book, inputs: Inputs) -> Sequence[ReadyAnswer]:
    """Each way to lose that many as one press, while nobody is chosen."""
    at, ways = inputs["at"], [] if inputs["lost"] else losses.list_unlike_ways(**inputs)
    if len(ways) < 2:
        return ()
    return tuple(
        ReadyAnswer(f"Lost: {_count_names([at[place - 1] for place in way])}", {"lost": ",".join(map(str, way))})
        for way in ways[:MOST_WAYS]
    )


def _count_names(counters: Sequence[ChosenOfSort]) -> str:
    """ "2 × 42 Gds and Guns"; which of several alike does not matter."""
    names = Counter(counter.name.partition(" #")[0] or "one unit" for counter in counters)
    return join_words([name if number == 1 else f"{number} × {name}" for name, number in names.items()])


# A line of odds with "33 % 3 units" would be hard to read.
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight")
BRIEF = {
    "no_effect": "nothing",
    "1 enemy unit eliminated": "one unit",
    "1 Air Point lost": "one Air Point",
    **{f"{number} enemy units eliminated": f"{word} units" for number, word in enumerate(_NUMBERS, 2)},
    **{f"{number} Air Points lost": f"{word} Air Points" for number, word in enumerate(_NUMBERS, 2)},
}

HELPERS = (
    Helper(
        SLUG,
        "combat",
        title="Combat",
        group="Fire",
        purpose="Any fire on the Combat Results Table: strengths with their factors, the column, the losses.",
        rules=(combat.RULE, "3.21 Terrain Effects Chart"),
        form=CombatForm,
        rule=losses.take_off(combat.combat),
        outcomes=combat.CombatOutcome,
        dice=(DieSpec("die", combat.DIE, "d6"),),
        odds=combat.combat_odds,
        brief=BRIEF,
    ),
    Helper(
        SLUG,
        "fire-strength",
        title="Fire Strength",
        group="Fire",
        purpose="What terrain, armor, the lost depot or Air Points over its hex do to one Fire Strength.",
        rules=("3.21 Terrain Effects Chart", "3.23 Unit Capabilities Summary"),
        form=FireStrengthForm,
        rule=fire_strength,
        outcomes=StrengthOutcome,
        suggests=True,
    ),
    Helper(
        SLUG,
        "losses",
        title="Losses",
        group="Fire",
        purpose="Who is lost, where not all in the hex are.",
        rules=(combat.RULE, "3.23 Artillery"),
        form=LossesForm,
        rule=losses.take_losses,
        outcomes=losses.LossOutcome,
        is_read=False,
        offers=offer_losses,
        read_by="at",
    ),
)
