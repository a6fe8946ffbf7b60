"""What several groups ask for: fields under the names of the JSON contract, and the dice."""

from collections.abc import Iterable
from functools import partial

from firefight.engine.labels import Labelled, words_of
from firefight.engine.rolls.dice import DieSpec, ReadAs
from firefight.kit import Helper, NumberField, Pick, PlaceField, TokensField

from ..rules.tables import (
    BOXES,
    DIE,
    GERMAN_KINDS,
    HEX_NAMES,
    HEXES,
    ROWS,
    SLUG,
    SOVIET_KINDS,
    STRONGEST,
    Colour,
    GermanCard,
    Side,
    Terrain,
)

THREE_DICE = DieSpec("total", DIE, "3d6", number=3)
MOST_ATTACKERS = 24  # Units: six Stacks of four


class MembersField(TokensField):
    """A list of an enum's members, by their values or as players call them."""

    def __init__(self, label: str, members: Iterable[Labelled], most: int):
        listed = tuple(members)
        self.kind = type(listed[0])
        super().__init__(label, {member: member.word for member in listed}, most=most)

    def _read(self, token: str) -> object:
        return self.kind(str(super()._read(token)))


def dice_pool(number: int, *, alike: tuple[tuple[int, ...], ...] = (), **more: int | bool) -> DieSpec:
    """Dice that are read one by one; with a ``number`` of 0 there may be up to ``most``."""
    return DieSpec("faces", DIE, "d6", number=number, read=ReadAs.EACH, alike=alike, **more)  # type: ignore[arg-type]


def group_faces(need: int, ones: bool = False) -> tuple[tuple[int, ...], ...]:
    """The faces that a count of hits does not tell apart."""
    low, high = tuple(range(1, need)), tuple(range(need, DIE + 1))
    misses = ((1,), low[1:]) if ones and low else (low,)
    return tuple(group for group in (*misses, high) if group)


def side(label: str = "Attacker") -> Pick:
    """One of the sides."""
    return Pick.among(label, Side)


def terrain(label: str = "Terrain") -> Pick:
    """What a hex is."""
    return Pick.among(label, Terrain)


def row_pick(label: str, members: tuple[Labelled, ...]) -> Pick:
    """A choice in a row: blank until it is made, and the first member in a row that leaves it out."""
    usual = members[0]
    words: dict[str, str] = {"": "—", **{member.value: word for member, word in words_of(members).items()}}
    return Pick(label, words, lambda value: type(usual)(value) if value else usual)


def colour(label: str, *colours: Colour) -> Pick:
    """The colour of a Unit or a player."""
    return Pick.among(label, colours or tuple(Colour))


def hex(label: str = "Hex", **more: str) -> PlaceField:
    """A hex of the map."""
    return PlaceField(label, HEXES, length=3, **more)


def hexes(label: str, most: int = 109) -> TokensField:
    """Hexes by number and letter."""
    return TokensField(label, {name: name for name in HEX_NAMES}, most=most)


def strengths(label: str, low: int = 1) -> TokensField:
    """The dots of Units, one after the other."""
    return TokensField(label, low=low, high=STRONGEST, most=MOST_ATTACKERS)


def rows() -> TokensField:
    """How many Units each row of the Track has."""
    return TokensField("Units left in rows 1 to 6", low=0, high=BOXES, most=ROWS, initial=",".join([str(BOXES)] * ROWS))


def german_cards() -> MembersField:
    """Cards that the Germans play."""
    return MembersField("German card, or several Pioneers", GermanCard, most=12)


def german_types() -> MembersField:
    """Which kinds of Germans are in the combat."""
    return MembersField("German Units", GERMAN_KINDS, most=MOST_ATTACKERS)


def soviet_types() -> MembersField:
    """Which kinds of Soviets are in the combat."""
    return MembersField("Soviet Units", SOVIET_KINDS, most=MOST_ATTACKERS)


def own_dice() -> NumberField:
    """What the 672nd Pioneer card prints; a match keeps it."""
    return NumberField("672nd Pioneer: dice on its card", 0, 20, initial=None)


def own_rubble() -> NumberField:
    """What the 672nd Pioneer card prints; a match keeps it."""
    return NumberField("672nd Pioneer: Rubble on its card", 0, 6, initial=None)


game_helper = partial(Helper, SLUG, is_read=False)
