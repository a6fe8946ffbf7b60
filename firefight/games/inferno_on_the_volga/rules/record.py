"""What a match keeps besides its log, as far as players report it: control, Stacks, pools, the Track, cards, losses."""

from collections.abc import Sequence

from firefight.engine.record import KeptChoice, KeptList, KeptNumber, KeptParts, KeptPlace, Record

from .tables import (
    BOXES,
    GERMAN_DECK,
    GERMAN_LEADERS,
    GERMANS,
    HEXES,
    INFANTRY_POOL,
    MARINES,
    MOST_RUBBLE,
    MOST_UNITS,
    R_UNITS,
    ROWS,
    SOVIET_DECK,
    SOVIET_LEADERS,
    SOVIET_SPAWN,
    TANK_POOL,
    TANKS,
    GermanCard,
    Side,
    SovietCard,
)

GERMAN_WORDS = {card.value: card.word for card in GermanCard}
SOVIET_WORDS = {card.value: card.word for card in SovietCard}
MOST_CARDS = 40
HANDS = {"german": "German hand", "yellow": "Hand of Yellow", "blue": "Hand of Blue"}


def hex_list(name: str, title: str, rule: str, most: int, start: tuple[str, ...] = ()) -> KeptList:
    place = KeptPlace(places=HEXES)
    return KeptList(name=name, title=title, rule=rule, most=most, is_set=True, start=start, item=place)


def _deck(side: Side, cards: int) -> KeptNumber:
    return KeptNumber(name=side.value, title=f"cards left in the {side.word} deck", high=cards, start=cards)


def _leaders(side: Side, cards: Sequence[GermanCard | SovietCard]) -> KeptList:
    choice = KeptChoice(choices={card.value: card.word for card in cards})
    return KeptList(name=side.value, title=side.word, most=len(cards), is_set=True, item=choice)


def _hand(side: str, title: str) -> KeptList:
    """Cards that only their German player sees, in co-op, too (The Co-Op Mode 6)."""
    cards = KeptChoice(choices=GERMAN_WORDS)
    return KeptList(name=f"{side}_hand", title=title, rule="Game Setup", most=MOST_CARDS, known_to=side, item=cards)


RECORD = Record(
    fields=(
        hex_list("controlled", "Spawn Hexes in Soviet hands", "Soviet Actions", len(SOVIET_SPAWN), SOVIET_SPAWN),
        KeptList(
            name="stacks",
            title="Soviet Stacks",
            rule="Soviet Actions",
            most=40,
            item=KeptParts(
                fields=(
                    KeptPlace(name="hex", title="hex", places=HEXES),
                    KeptNumber(name="units", title="Units", low=1, high=MOST_UNITS),
                )
            ),
        ),
        KeptParts(
            name="pools",
            title="Spawn Pools",
            rule="Game Setup",
            fields=(
                KeptNumber(name="infantry", title="Infantry", high=40, start=INFANTRY_POOL),
                KeptNumber(name="tanks", title="Tanks", high=TANKS, start=TANK_POOL),
                KeptNumber(name="marines", title="Marines", high=MARINES, start=MARINES),
            ),
        ),
        KeptList(
            name="rows",
            title="Units left in rows 1 to 6",
            rule="Call for Reinforcements",
            most=ROWS,
            start=(BOXES,) * ROWS,
            item=KeptNumber(high=BOXES),
        ),
        KeptList(
            name="removed",
            title="Rows that have struck",
            rule="Call for Reinforcements",
            most=ROWS,
            is_set=True,
            item=KeptNumber(low=1, high=ROWS),
        ),
        hex_list("rubble", "Rubble", "Rubble", MOST_RUBBLE),
        KeptParts(
            name="leaders",
            title="Leaders in play",
            rule="Card Decks",
            fields=(
                _leaders(Side.GERMAN, GERMAN_LEADERS),
                _leaders(Side.SOVIET, SOVIET_LEADERS),
            ),
        ),
        *(_hand(side, title) for side, title in HANDS.items()),
        KeptNumber(name="soviet_hand", title="Cards in the Soviet hand", rule="Card Decks", high=MOST_CARDS),
        KeptParts(
            name="decks",
            title="Decks",
            rule="Card Decks",
            fields=(
                _deck(Side.GERMAN, sum(GERMAN_DECK.values())),
                _deck(Side.SOVIET, sum(SOVIET_DECK.values())),
            ),
        ),
        KeptList(
            name="discards",
            title="Soviet discards",
            rule="Card Decks",
            most=MOST_CARDS,
            item=KeptChoice(choices=SOVIET_WORDS),
        ),
        KeptNumber(name="destroyed", title="German Units destroyed", rule="How to Win the Game", high=GERMANS),
        KeptNumber(name="destroyed_r", title="of them marked R", rule="How to Win the Game", high=R_UNITS),
        KeptNumber(name="extra_used", title="Extra turns used", rule="OKH", high=R_UNITS),
        KeptParts(
            name="own_card",
            title="672nd Pioneer card",
            rule="Linden",
            fields=(
                KeptNumber(name="dice", title="dice", high=20, optional=True),
                KeptNumber(name="rubble", title="Rubble", high=6, optional=True),
            ),
        ),
    )
)
