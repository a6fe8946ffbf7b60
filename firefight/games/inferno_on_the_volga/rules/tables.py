"""What the rules call things, and the text's tables: hexes, fire, cards, decks, the order in which Soviets spawn."""

from collections.abc import Mapping
from dataclasses import dataclass

from firefight.engine.board.places import Boxes
from firefight.engine.labels import Labelled

SLUG = "inferno-on-the-volga"
MOST_UNITS = 4  # in a hex, of a side (Stacking)
STRONGEST = 4  # dots
DIE = 6  # sides


class Side(Labelled):
    """Who plays."""

    GERMAN = "german", "German"
    SOVIET = "soviet", "Soviet"

    @property
    def other(self) -> "Side":
        """The opponent."""
        return Side.SOVIET if self is Side.GERMAN else Side.GERMAN


class Colour(Labelled):
    """Which German a Unit belongs to: 6th Army, 4th Panzer Army, or either (The Co-Op Mode)."""

    YELLOW = "yellow"
    BLUE = "blue"
    WHITE = "white"


class Terrain(Labelled):
    """What a hex is (Types of Hexes)."""

    CLEAR = "clear"
    ROUGH = "rough"
    URBAN = "urban"


class Fire(Labelled):
    """How well a Unit fires, by the colour of its dots (Firepower)."""

    SINGLE = "SF", "Single Fire (black dots)"
    DOUBLE = "DF", "Double Fire (white dots)"
    TRIPLE = "TF", "Triple Fire (red dots)"

    @property
    def need(self) -> int:
        """The lowest face that hits."""
        return {Fire.SINGLE: 6, Fire.DOUBLE: 5, Fire.TRIPLE: 4}[self]


class Kind(Labelled):
    """What a Unit is, as far as rules tell them apart (The Units)."""

    INFANTRY = "infantry"
    MOTORIZED = "motorized"
    PANZER = "panzer"
    PANZERGRENADIER = "panzergrenadier", "Panzer Grenadier"
    TANK = "tank"


GERMAN_KINDS = (Kind.INFANTRY, Kind.MOTORIZED, Kind.PANZER, Kind.PANZERGRENADIER)
SOVIET_KINDS = (Kind.INFANTRY, Kind.TANK)
GERMAN_INFANTRY = frozenset({Kind.INFANTRY, Kind.MOTORIZED, Kind.PANZERGRENADIER})  # for Snipers, for Hoth
GERMAN_ARMOUR = frozenset({Kind.PANZER, Kind.PANZERGRENADIER})  # for Anti-Tank, Rubble, Hoth
SOVIET_INFANTRY = frozenset({Kind.INFANTRY, Kind.MOTORIZED})  # for Snipers, for Hoth
BLITZING = frozenset({Kind.MOTORIZED, Kind.PANZER, Kind.PANZERGRENADIER})


# Hexes

NUMBERED = tuple(map(str, range(1, 106)))
HEX_NAMES = (*NUMBERED, "W", "X", "Y", "Z")
HEXES = Boxes(HEX_NAMES)
GERMAN_AT_START = ("W", "X", "Y", "Z")
GERMAN_SPAWN = ("X", "Y", "Z")  # W is not one
SPAWN_OF: Mapping[Colour, tuple[str, ...]] = {
    Colour.YELLOW: ("X", "Y"),
    Colour.BLUE: ("Z",),
    Colour.WHITE: GERMAN_SPAWN,
}
SPAWN_ORDER = ("3", "19", "9", "15", "13", "7")  # in which Soviets spawn (Soviet Spawn Action)
SOVIET_SPAWN = tuple(sorted(SPAWN_ORDER, key=int))
SPAWN_OF_TWO = frozenset({"3", "13", "19"})  # Infantry and a Tank; the others Infantry alone
COAST = frozenset(map(str, range(3, 20)))  # where gunboats reach (Volga River Flotilla)
OKH_HEXES = tuple(map(str, range(1, 20)))  # all of them German: an OKH victory
URBAN_HEXES, MOST_RUBBLE = 27, 15
FORTIFIED: Mapping[str, str] = {  # The Designer's Way, Impossible German
    "4": "Big Mushroom",
    "21": "Little Mushroom",
    "28": "Mamayev Kurgan",
    "26": "Martin Furnace",
    "32": "Grain Elevator",
}


# Cards


class GermanCard(Labelled):
    """The German deck."""

    PAULUS = "paulus"
    HOTH = "hoth"
    VON_RICHTHOFEN = "von_richthofen", "Von Richthofen"
    LINDEN = "linden"
    OKH = "okh", "OKH"
    HEINKEL_111 = "heinkel_111"
    STUKA = "stuka"
    HOWITZER = "howitzer"
    PIONEER = "pioneer"
    PIONEER_672 = "672nd_pioneer", "672nd Pioneer"
    SNIPER = "sniper"
    PAK = "pak"


class SovietCard(Labelled):
    """The Soviet deck."""

    CHUIKOV = "chuikov"
    ZAYTSEV = "zaytsev"
    KHRUSHCHEV = "khrushchev"
    TOMMY_GUNNER = "tommy_gunner", "Tommy Gunner"
    FLOTILLA = "volga_river_flotilla", "Volga River Flotilla"
    AA = "aa", "AA"
    SNIPER = "sniper"
    ANTI_TANK = "anti_tank", "Anti-Tank"
    INFILTRATION = "infiltration"
    T_34 = "t_34_dug_in", "T-34 Dug in"


@dataclass(frozen=True, slots=True)
class CardValue:
    """What a German Support Card is worth: dice of Triple Fire, Rubble Modifier."""

    dice: int = 0
    rubble: int = 0


GERMAN_LEADERS = (
    *(GermanCard.PAULUS, GermanCard.HOTH, GermanCard.VON_RICHTHOFEN, GermanCard.LINDEN),
    GermanCard.OKH,
)
SOVIET_LEADERS = (SovietCard.CHUIKOV, SovietCard.ZAYTSEV, SovietCard.KHRUSHCHEV)
AIRSTRIKES = frozenset({GermanCard.HEINKEL_111, GermanCard.STUKA})
PIONEERS = frozenset({GermanCard.PIONEER, GermanCard.PIONEER_672})
CARD_VALUES: Mapping[GermanCard, CardValue] = {  # those of the 672nd Pioneer are only on its card
    GermanCard.HEINKEL_111: CardValue(6, 3),
    GermanCard.STUKA: CardValue(5, 2),
    GermanCard.HOWITZER: CardValue(6, 2),
    GermanCard.PIONEER: CardValue(5, 1),
}
GERMAN_DECK: Mapping[GermanCard, int] = {  # without the 672nd Pioneer, whose copies the text does not give
    **dict.fromkeys(GERMAN_LEADERS, 1),
    **dict.fromkeys((*CARD_VALUES,), 4),
    GermanCard.SNIPER: 3,
    GermanCard.PAK: 2,
}
SOVIET_DECK: Mapping[SovietCard, int] = {
    **dict.fromkeys(SOVIET_LEADERS, 1),
    SovietCard.TOMMY_GUNNER: 2,
    SovietCard.FLOTILLA: 5,
    SovietCard.AA: 4,
    SovietCard.SNIPER: 5,
    SovietCard.ANTI_TANK: 2,
    SovietCard.INFILTRATION: 4,
    SovietCard.T_34: 3,
}
SOVIET_DICE: Mapping[SovietCard, int] = {SovietCard.TOMMY_GUNNER: 2, SovietCard.FLOTILLA: 3}  # Double Fire


# Units

GERMANS, SOVIETS, AXE_UNITS, R_UNITS = 40, 53, 3, 5
MARINES, TANKS, GUARDS, OTHER_INFANTRY = 2, 13, 4, 34
TANK_POOL, INFANTRY_POOL = 6, 22  # as a game begins; the rest stands on the map
GERMAN_START: Mapping[str, tuple[str, ...]] = {  # Game Setup 8; "yellow" is drawn at random
    "W": ("2nd", "64th", "79th"),
    "X": ("120th", "yellow"),
    "Y": ("yellow", "yellow"),
}
GERMAN_HAND = 3
ROWS, BOXES = 6, 5  # of the Reinforcement Track
