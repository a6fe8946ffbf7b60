"""The board, the blocks and the cards from three sheets: what is printed on them, and is in no text.

The house's own sheets are in data/house.toml; an owner pastes what the box shows. Both are checked against all that
the text says about them (The Units, Game Setup, Card Decks).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from firefight.engine.values import Values

from .board import BoardHex, VolgaBoard
from .tables import (
    AXE_UNITS,
    CARD_VALUES,
    GERMAN_DECK,
    GERMAN_START,
    GUARDS,
    MARINES,
    R_UNITS,
    SOVIET_DECK,
    SOVIET_DICE,
    SOVIETS,
    TANKS,
    CardValue,
    GermanCard,
    Side,
    SovietCard,
)

Deck = Mapping[GermanCard, int] | Mapping[SovietCard, int]
NOTHING = "-"
TYPES = {"panzer": 4, "panzergrenadier": 6, "motorized": 3, "infantry": 27}  # of the 40 German blocks
SOVIET_TYPES = ("infantry", "motorized", "tank")
MARKS: Mapping[str, tuple[str, ...]] = {"german": ("r", "axe"), "soviet": ("marine", "guards", "aa", "destroyer")}
LATE_INFANTRY, SHOWN_AA = 18, "7"  # Late Deployment; the hex of the AA card that the text shows


@dataclass(frozen=True, slots=True)
class Block:
    """A block as it is printed. ``top``: dots at full Strength; ``fire``: by dots, 1 first (B28).

    ``type``: panzer, panzergrenadier, motorized, infantry, tank; ``marks``: r, axe, marine, guards, aa, destroyer.
    """

    key: str
    side: str
    name: str
    type: str
    colour: str
    top: int
    fire: tuple[str, ...]
    marks: tuple[str, ...] = ()
    pool: str = field(init=False)

    def __post_init__(self) -> None:
        is_marine = "marine" in self.marks
        object.__setattr__(self, "pool", "marine" if is_marine else "tank" if self.type == "tank" else "infantry")


@dataclass(frozen=True, slots=True)
class CardKind:
    """A card of a deck. ``hexes``: where Rubble is laid, a hex for each copy of an AA card."""

    side: str
    key: str
    name: str
    copies: int
    dice: int
    modifier: int
    hexes: tuple[str, ...] = ()

    @property
    def copy_names(self) -> list[str]:
        """What each copy is called in a deck: an AA card by its hex, the others alike."""
        return [f"{self.key}:{hex}" for hex in self.hexes] or [self.key] * self.copies


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """All that is printed. ``track``: the Unit that each row of the Track names; ``start``: Units by hex."""

    board: VolgaBoard
    blocks: Mapping[str, Block]
    german_cards: Mapping[str, CardKind]
    soviet_cards: Mapping[str, CardKind]
    track: tuple[str, ...]
    start: Mapping[str, tuple[str, ...]]
    sides: Mapping[str, Side] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sides", {key: Side(block.side) for key, block in self.blocks.items()})

    def of_side(self, side: str) -> list[Block]:
        """The blocks of a side, in their order."""
        return [block for block in self.blocks.values() if block.side == side]

    def find_flaws(self) -> list[str]:
        """What contradicts the text, in sentences."""
        urban = self.board.terrain
        flaws = self.board.find_flaws() + self._find_flaws_of_germans() + self._find_flaws_of_soviets()
        flaws += self._find_flaws_of_marks()
        flaws += _find_flaws_of_deck(self.german_cards, GERMAN_DECK, "German", ("672nd_pioneer",))
        flaws += _find_flaws_of_deck(self.soviet_cards, SOVIET_DECK, "Soviet")
        flaws += [flaw for card in (*self.german_cards.values(), *self.soviet_cards.values()) for flaw in _judge(card)]
        hexes = self.soviet_cards["aa"].hexes if "aa" in self.soviet_cards else ()
        flaws += [f"Hex {name} of an AA card is Urban." for name in hexes if urban.get(name) != "urban"]
        if len(hexes) != 4 or SHOWN_AA not in hexes:
            flaws.append("Four AA cards have a hex each, one of them 7.")
        return flaws

    def _find_flaws_of_germans(self) -> list[str]:
        germans = self.of_side("german")
        types = Counter(block.type for block in germans)
        flaws = [
            f"There are {number} German blocks of type {type}, not {types[type]}."
            for type, number in TYPES.items()
            if types[type] != number
        ]
        if len(germans) != sum(TYPES.values()):
            flaws.append(f"There are {sum(TYPES.values())} German blocks, not {len(germans)}.")
        flaws += [f"{block.name} has to have a colour." for block in germans if not block.colour]
        for mark, number in (("r", R_UNITS), ("axe", AXE_UNITS)):
            if (count := sum(mark in block.marks for block in germans)) != number:
                flaws.append(f"{number} German blocks are marked {mark}, not {count}.")
        flaws += self._find_flaws_of_start()
        if self._count_drawn("white") < 6 or self._count_drawn("yellow") < 3:
            flaws.append("Set-up draws six White and three Yellow Infantry; none of them has an axe or starts by name.")
        return flaws

    def _count_drawn(self, colour: str) -> int:
        """Infantry of a colour that the set-up may draw (Game Setup 1, 8 and 9)."""
        by_name = {key for keys in self.start.values() for key in keys}
        return sum(
            block.type == "infantry"
            and block.colour == colour
            and "axe" not in block.marks
            and block.key not in by_name
            for block in self.of_side("german")
        )

    def _find_flaws_of_start(self) -> list[str]:
        """Which Units begin where by name; Yellow Infantry drawn at random is added (Game Setup 8)."""
        printed = {place: [name for name in names if name != "yellow"] for place, names in GERMAN_START.items()}
        typed = {place: [self.blocks[key].name.split()[0] for key in keys] for place, keys in self.start.items()}
        return [
            f"Germans who begin in {place} by name: {', '.join(printed.get(place, ())) or 'nobody'} (Game Setup 8)."
            for place in sorted({*printed, *typed})
            if sorted(typed.get(place, ())) != sorted(printed.get(place, ()))
        ]

    def _find_flaws_of_soviets(self) -> list[str]:
        """How many Soviet blocks of each kind there are (The Units, Late Deployment)."""
        soviets = self.of_side("soviet")
        late = sum(block.pool == "infantry" and not block.marks and block.top == 4 for block in soviets)
        counts = (
            (len(soviets), SOVIETS, "Soviet blocks"),
            (sum(block.pool == "marine" for block in soviets), MARINES, "Marines"),
            (sum("guards" in block.marks for block in soviets), GUARDS, "Guards"),
            (sum("aa" in block.marks for block in soviets), 1, "AA Regiment"),
            (sum("destroyer" in block.marks for block in soviets), 1, "Destroyer Brigade"),
            (sum(block.pool == "tank" for block in soviets), TANKS, "Soviet Tanks"),
        )
        flaws = [
            f"There {'is' if number == 1 else 'are'} {number} {name}, not {count}."
            for count, number, name in counts
            if count != number
        ]
        flaws += [flaw for block in soviets for flaw in _judge_soviet_type(block)]
        if late < LATE_INFANTRY:
            flaws.append("At least 18 Soviet Infantry besides the Guards have four dots (Late Deployment).")
        return flaws

    def _find_flaws_of_marks(self) -> list[str]:
        """Marks and colours that only the other side has (The Units)."""
        flaws = []
        for block in self.blocks.values():
            right, side = MARKS[block.side], block.side.capitalize()
            prefix = f"Blocks, {block.name}, marks: a {side} block is marked {' or '.join(right)}, or not at all"
            if odd := [mark for mark in block.marks if mark not in right]:
                flaws.append(f"{prefix}; {' and '.join(odd)} {'is' if len(odd) == 1 else 'are'} not among these.")
            elif block.side == "soviet" and len(block.marks) > 1:
                flaws.append(f"{prefix}; with one of them, not {' and '.join(block.marks)}.")
            if block.side == "soviet" and block.colour:
                flaws.append(f"Blocks, {block.name}, colour: blank, as only Germans have colours, not {block.colour}.")
        return flaws


def _judge_soviet_type(block: Block) -> list[str]:
    """A type that no Soviet block has, or none with its mark (The Units)."""
    if block.type not in SOVIET_TYPES:
        return [f"{block.name}: a Soviet block is infantry, motorized or tank, not {block.type} (The Units)."]
    if block.type == "tank" and block.marks:
        return [f"{block.name}: a block marked {block.marks[0]} is Infantry, not {block.type} (The Units)."]
    return []


def _judge(card: CardKind) -> list[str]:
    """What a card cannot print: dice and a Rubble Modifier other than the text's, hexes except on AA (Card Decks).

    Both numbers may be blank where the text has them.
    """
    prefix = f"Cards, {card.name} ({card.side.capitalize()})"
    flaws = []
    for name, value, right in zip(
        ("dice", "modifier"), (card.dice, card.modifier), _find_values(card.side, card.key), strict=True
    ):
        if right is not None and value not in (0, right):
            flaws.append(f"{prefix}, {name}: {right or 'blank'}, not {value}.")
    if card.hexes and (card.side, card.key) != ("soviet", "aa"):
        flaws.append(f"{prefix}, hexes: blank, as AA cards alone name hexes, not {', '.join(card.hexes)}.")
    return flaws


def _find_values(side: str, key: str) -> tuple[int | None, int | None]:
    """Dice and Rubble Modifier of a card by the text; None where only the card says them, or there is no such card."""
    if side == "soviet":
        return (SOVIET_DICE.get(SovietCard(key), 0), 0) if key in SOVIET_DECK else (None, None)
    if key not in GERMAN_DECK:
        return None, None
    value = CARD_VALUES.get(GermanCard(key), CardValue())
    return value.dice, value.rubble


def _find_flaws_of_deck(
    cards: Mapping[str, CardKind],
    deck: Deck,
    side: str,
    optional: tuple[str, ...] = (),
) -> list[str]:
    printed = {str(key): number for key, number in deck.items()}
    wrong_keys = [key for key, number in printed.items() if key not in cards or cards[key].copies != number]
    wrong_keys += [key for key in cards if key not in printed and key not in optional]
    return [f"The {side} deck holds {printed.get(key, 0)} of {key.replace('_', ' ')}." for key in wrong_keys]


def find_printed(owners: object, house: Content) -> Content:
    """The content of a match: its owner's, or the house's where it has none."""
    return owners if isinstance(owners, Content) else house


def read_house_sheet(sheet: str) -> list[dict[str, str]]:
    """A sheet of the house: titles in the first line, then a line for each row, tabs between cells; "-" is nothing."""
    head, *lines = (line.split("\t") for line in sheet.strip().splitlines())
    return [dict(zip(head, ("" if cell == NOTHING else cell for cell in line), strict=True)) for line in lines]


def build_content(
    hexes: Iterable[Values],
    blocks: Iterable[Values],
    cards: Iterable[Values],
    track: Sequence[str],
    start: Mapping[str, Sequence[str]],
) -> Content:
    """A content from the rows of three sheets, the Units named on the track, and those that start in a hex."""
    kinds = [_build_card(row) for row in cards]
    built = [_build_block(row) for row in blocks]
    return Content(
        VolgaBoard({row["hex"]: _build_hex(row) for row in hexes}),
        {block.key: block for block in built},
        {card.key: card for card in kinds if card.side == "german"},
        {card.key: card for card in kinds if card.side == "soviet"},
        tuple(track),
        {name: tuple(keys) for name, keys in start.items()},
    )


def build_house_content(data: Values) -> Content:
    """The house's own sheets, as data/house.toml has them."""
    hexes, blocks, cards = (read_house_sheet(data[name]) for name in ("hexes", "blocks", "cards"))
    return build_content(hexes, blocks, cards, track=data["track"], start=data["start"])


def _build_hex(row: Values) -> BoardHex:
    towards = tuple(row[f"d{direction}"] for direction in range(1, 7))
    return BoardHex(row["hex"], int(row["row"]), int(row["rank"]), row["terrain"], bool(row["setup"]), towards)


def _build_block(row: Values) -> Block:
    fire = row["fire"].split(",")
    top = int(row["top"])
    steps = tuple(fire * top if len(fire) == 1 else fire)
    marks = tuple(mark for mark in row["marks"].split(",") if mark)
    colour = "white" if "axe" in marks else row["colour"]  # whatever is printed, they count as White (6th Panzer)
    return Block(row["block"], row["side"], row["name"], row["type"], colour, top, steps, marks)


def _build_card(row: Values) -> CardKind:
    copies, dice, modifier = (int(row[name]) for name in ("copies", "dice", "modifier"))
    hexes = tuple(filter(None, row["hexes"].split(",")))
    return CardKind(row["side"], row["card"], row["name"], copies, dice, modifier, hexes)
