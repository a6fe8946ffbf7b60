"""The set-up in numbers, decks and colours of Stacks (Game Setup, The Co-Op Mode)."""

from collections.abc import Collection, Mapping

from .tables import (
    BOXES,
    GERMAN_DECK,
    GERMAN_START,
    GUARDS,
    INFANTRY_POOL,
    MARINES,
    OTHER_INFANTRY,
    ROWS,
    SOVIET_DECK,
    SOVIETS,
    TANK_POOL,
    TANKS,
    Colour,
    Side,
)

COUNTS: Mapping[str, int] = {
    "soviet_total": SOVIETS,
    "marines": MARINES,
    "tank_pool": TANK_POOL,
    "infantry_pool": INFANTRY_POOL,
    "map_tanks": TANKS - TANK_POOL,
    "map_infantry": GUARDS + OTHER_INFANTRY - INFANTRY_POOL,
    "map": TANKS - TANK_POOL + GUARDS + OTHER_INFANTRY - INFANTRY_POOL,
    "german_start": sum(map(len, GERMAN_START.values())),
    "track": ROWS * BOXES,
}


def count_blocks() -> dict[str, int]:
    """How many Units begin where, by its name (Game Setup 2 to 9)."""
    return dict(COUNTS)


def list_deck(side: Side) -> dict[str, int]:
    """A deck by its cards, each with its copies; without the 672nd Pioneer, whose copies the text does not give."""
    return {str(card): copies for card, copies in (GERMAN_DECK if side is Side.GERMAN else SOVIET_DECK).items()}


def find_stack_colour(colours: Collection[Colour]) -> Colour | None:
    """The colour of a Stack; None for Yellow and Blue together, which is not allowed (Co-Op 1 to 4)."""
    owners = {Colour.YELLOW, Colour.BLUE}.intersection(colours)
    if len(owners) > 1:
        return None
    return owners.pop() if owners else Colour.WHITE
