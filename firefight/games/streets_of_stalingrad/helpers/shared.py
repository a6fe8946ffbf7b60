"""What several groups ask: fields under the names of the JSON contract, and the dice."""

from functools import partial

from firefight.engine.rolls.dice import DieSpec
from firefight.kit import CountersField, DateField, Helper, NumberField, Pick, PlaceField, TokensField

from ..counters import COUNTERS
from ..rules.dates import FIRST, LAST, TURNS
from ..rules.hexes import HEXES
from ..rules.record import MOST_STUKAS
from ..rules.terms import NOBODY, SLUG, Side, Terrain
from ..rules.units import ARMS

DIE = DieSpec("die", 10, "d10")
MOST_POINTS = 400


def side(label: str = "Side", initial: Side = Side.GERMAN) -> Pick:
    """One of the sides."""
    return Pick.among(label, Side, initial=initial.value)


def terrain(label: str = "Terrain") -> Pick:
    """What lies in the hex."""
    return Pick.among(label, Terrain)


# The buttons before a match has used any terrain: most of the map.
TERRAIN_FIRST = {
    "terrain": tuple(
        terrain.value
        for terrain in (Terrain.CLEAR, Terrain.CITY, Terrain.SUBURB, Terrain.INDUSTRIAL, Terrain.BALKA, Terrain.FOREST)
    )
}


def date() -> DateField:
    """A date of the campaign; a match fills it from its place."""
    return DateField("Date", FIRST, LAST, FIRST)


def turn(initial: int | None = 1, first: int = 1) -> NumberField:
    """A turn of the campaign; a match fills it from its place."""
    return NumberField("Turn", first, TURNS, initial=initial)


def target_hex(label: str = "Hex (a match keeps what is said about it)") -> PlaceField:
    """Where it happens: a match keeps its terrain, its markers, and that it was attacked. No rule asks for it."""
    return PlaceField(label, HEXES)


def flying() -> NumberField:
    """How many Stukas take part, which a match counts; those under anti-aircraft fire are counted there (15.42)."""
    return NumberField("Stukas in it, not counted at anti-aircraft fire", 0, MOST_STUKAS)


def gun_names() -> TokensField:
    """Which guns fire, so that a match knows that they have (14.02)."""
    return TokensField("Guns that fire indirectly, by name", most=20)


def points(label: str) -> NumberField:
    """All points that fire."""
    return NumberField(label, 1, MOST_POINTS, initial=None)


# Of a side in one roll. From each of six hexes four Germans and a leader attack (5.3, 5.5), and guns anywhere fire with
# them. In one hex stand at most four, four more if movers are pinned there (5.8), and what 5.5 allows.
MOST_FIRING, MOST_STRUCK = 48, 20


def firing(with_sorts: bool = False) -> CountersField:
    """Who fires; a match fills it. ``with_sorts``: and what they are, where something depends on that."""
    sorts = ARMS if with_sorts else {}
    return CountersField("Who fires, by name", COUNTERS, role="firers", most=MOST_FIRING, sorts=sorts)


def struck(label: str = "Who is in the target hex, by name") -> CountersField:
    """Who is in the hex fired at, or whom a roll is about; a match fills it."""
    return CountersField(label, COUNTERS, role="targets", most=MOST_STRUCK, sorts=ARMS)


def lost() -> TokensField:
    """Which of those their owner chooses."""
    return TokensField("Who is lost, by place in that list", low=1, high=MOST_STRUCK, most=MOST_STRUCK)


def agreed(label: str, choices: dict[str, str]) -> Pick:
    """A reading of the rules; a match fills it with what was agreed as it began."""
    return Pick(label, choices)


def after_all(label: str) -> Pick:
    """Whether somebody does what a side has said yes to, and may find that nobody can."""
    return Pick(label, {"": "yes", NOBODY: "nobody, after all"})


def strong_point() -> Pick:
    """A P on a strong point (ruling A22)."""
    return agreed("A P on a strong point", {"stays": "nobody retreats", "choice": "as in a forest"})


# A helper of this game: it reads most results off its charts. ``look_up``: one without dice that only informs.
# ``card_helper``: one whose answer another roll uses.
game_helper = partial(Helper, SLUG)
look_up = partial(Helper, SLUG, verb="Look up")
card_helper = partial(look_up, suggests=True)
