"""What a match keeps besides its log: what phases bring and take, what rolls have said, and when units come back."""

from dataclasses import dataclass

from firefight.engine.record import (
    KeptChoice,
    KeptDay,
    KeptField,
    KeptFlag,
    KeptList,
    KeptNumber,
    KeptParts,
    KeptPlace,
    KeptRows,
    KeptText,
    KeptTimetable,
    KeptTold,
    Record,
    RecordChange,
)
from firefight.engine.values import Values

from .dates import FIRST, LAST, TURNS
from .hexes import HEXES
from .terms import SIDES, Terrain
from .victory import Division
from .volga import ARROWS as MOST_ARROWS

PHASE_NUMBERS = range(1, 16)
MOST_STUKAS, MOST_SNIPERS, MOST_SOVIET_TANKS = 21, 9, 20
MOST_AF_BARRED, MOST_AF_SAVED, MOST_REPLACEMENTS = 500, 9999, 999
ARROWS = tuple(str(arrow) for arrow in range(1, MOST_ARROWS + 1))
INTERDICTED = "interdicted"
MARKERS = {word: word for word in ("pinned", "spent", "attack", "breakthru", INTERDICTED)}
COMMANDERS = {"chuikov": "Chuikov", "paulus": "Paulus", "seydlitz": "von Seydlitz"}
NEVER, PRESENT, WOUNDED, LOST, HQ = "never_entered", "present", "wounded", "lost", "hq"
FATES = {NEVER: "not in play yet", PRESENT: "on the map", WOUNDED: "wounded", LOST: "lost", HQ: "replaced by his HQ"}


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptUnit(KeptText):
    """A unit by the one word that a match makes of its name."""

    def describe(self, value: object) -> str:
        return KeptText.describe(self, value).replace("_", " ")

    def tell(self, value: object) -> str:
        return self.describe(value)


_PHASE = KeptNumber(name="phase", title="phase", low=1, high=15)


def _of_each_side(name: str, title: str, rule: str, high: int) -> KeptParts:
    parts = (KeptNumber(name=side, title=word, high=high) for side, word in SIDES.items())
    return KeptParts(name=name, title=title, rule=rule, fields=tuple(parts))


def _when(name: str, title: str) -> KeptParts:
    turn = KeptNumber(name="turn", title="turn", low=1, high=TURNS + 30)
    return KeptParts(name=name, title=title, fields=(turn, _PHASE))


def _hex_list(name: str, title: str, rule: str, most: int) -> KeptList:
    return KeptList(name=name, title=title, rule=rule, most=most, is_set=True, item=KeptPlace(places=HEXES))


_SIDE = KeptChoice(name="side", title="of the", choices=SIDES)
_HEX = KeptPlace(name="hex", title="in", places=HEXES)
_UNIT = KeptUnit(name="unit", title="unit", longest=40)


def call_hq(name: str) -> str:
    """What the headquarters that comes for a lost commander is called."""
    return f"HQ of {COMMANDERS[name]}"


def _bring_back(row: Values) -> RecordChange | None:
    """A commander, or his HQ, back in play: his army attacks from the next turn on (18.52, 18.54)."""
    for name, word in COMMANDERS.items():
        fate = PRESENT if row["what"] == word else HQ if row["what"] == call_hq(name) else ""
        if fate:
            return RECORD.change({"commanders": {name: fate}, "commanders_since": {name: row["turn"]}})
    return None


DUE = KeptTimetable(name="due", title="Coming", rule="18.42", sides=SIDES, phases=PHASE_NUMBERS, brings=_bring_back)
TERRAIN_TOLD = KeptTold(
    name="hex_values",
    title="Hexes, as players said",
    rule="7.1",
    most=600,
    places=HEXES,
    by="hex",
    parts=(
        KeptChoice(
            name="terrain", title="terrain", choices={terrain.value: terrain.word for terrain in Terrain}, optional=True
        ),
    ),
)

_FIELDS: tuple[KeptField, ...] = (
    KeptNumber(name="stukas", title="Stukas this turn", rule="15.51", high=MOST_STUKAS, optional=True),
    KeptNumber(name="stukas_used", title="Stukas used this turn", rule="15.21", high=MOST_STUKAS),
    KeptChoice(
        name="weather", title="Weather", rule="15.53", choices={"none": "not rolled", "fair": "fair", "bad": "bad"}
    ),
    _of_each_side("barred", "AF barred this turn", "14.72", MOST_AF_BARRED),
    _of_each_side("saved", "AF saved", "14.75", MOST_AF_SAVED),
    KeptParts(
        name="replacements",
        title="Replacement points",
        rule="21.41",
        fields=(
            KeptNumber(name="german_af", title="German AF", high=MOST_REPLACEMENTS),
            KeptNumber(name="german_pz", title="German Pz", high=MOST_REPLACEMENTS),
            KeptNumber(name="soviet_af", title="Soviet AF", high=MOST_REPLACEMENTS),
        ),
    ),
    DUE,
    KeptList(
        name="works",
        title="Engineering",
        rule="17.0",
        item=KeptParts(
            fields=(
                KeptText(name="work", title="work", longest=20),
                _SIDE,
                KeptPlace(name="hex", title="in", places=HEXES, optional=True),
                _when("placed", "done"),
                _when("started", "begun"),
                _when("may_move", "engineers free"),
                KeptNumber(name="hindered", title="phases hindered", high=30),
                KeptNumber(name="builders", title="engineers", low=1, high=4),
            )
        ),
    ),
    KeptList(
        name="isolated",
        title="Out of supply",
        rule="19.4",
        most=60,
        item=KeptParts(
            fields=(
                KeptText(name="name", title="unit", longest=40),
                KeptChoice(name="side", title="of the", choices=SIDES, start="soviet"),
                KeptNumber(name="marker", title="marker", high=9),
                KeptFlag(name="elite_or_led", title="Guards, Marines or led", otherwise=""),
                KeptFlag(name="nkvd", title="NKVD", otherwise=""),
            )
        ),
    ),
    KeptList(
        name="nkvd_tested",
        title="NKVD regiments tested",
        rule="16.83",
        is_set=True,
        item=KeptText(longest=20),
    ),
    _hex_list("points_hexes", "Victory hexes the Germans hold", "3.4", 20),
    KeptList(
        name="fired",
        title="Guns that have fired this turn",
        rule="14.02",
        most=200,
        item=KeptParts(
            fields=(
                _UNIT,
                _PHASE,
                KeptFlag(name="in_box", title="pinned in its East Bank box", otherwise=""),
            )
        ),
    ),
    KeptList(
        name="silent",
        title="Guns without ammunition this turn",
        rule="14.72",
        most=100,
        item=KeptParts(fields=(_SIDE, _UNIT, KeptNumber(name="af", title="AF", high=MOST_AF_BARRED))),
    ),
    KeptList(
        name="fired_directly",
        title="88s that have fired directly this turn",
        rule="14.03",
        most=100,
        item=KeptParts(fields=(_UNIT, _PHASE)),
    ),
    KeptList(
        name="opportunity",
        title="Who has fired at movers this turn",
        rule="11.2",
        most=300,
        item=KeptParts(fields=(_UNIT, _SIDE, _PHASE)),
    ),
    _hex_list("attacked", "Hexes attacked this phase", "9.14", 200),
    _hex_list("breakthroughs", "Hexes broken through this phase", "10.4", 200),
    KeptRows(
        name="crossed",
        title="Combat units by landing arrow",
        rule="8.66",
        most=len(ARROWS),
        parts=(
            KeptNumber(name="phase", title="this phase", high=9),
            KeptNumber(name="turn", title="this turn", high=18),
        ),
        calls=lambda id, row: f"arrow {id}",
    ),
    KeptList(
        name="markers",
        title="Markers on hexes",
        rule="9.11",
        most=300,
        item=KeptParts(
            fields=(
                _HEX,
                KeptChoice(name="marker", title="marker", choices=MARKERS),
                KeptFlag(name="under_attack", title="under an attack marker", otherwise=""),
            )
        ),
    ),
    KeptParts(
        name="commanders",
        title="Commanders",
        rule="18.5",
        fields=tuple(KeptChoice(name=name, title=word, choices=FATES) for name, word in COMMANDERS.items()),
    ),
    KeptParts(
        name="commanders_since",
        title="Commanders arrived in turn",
        rule="18.52",
        fields=tuple(
            KeptNumber(name=name, title=word, low=1, high=TURNS, optional=True) for name, word in COMMANDERS.items()
        ),
    ),
    KeptNumber(name="snipers", title="Snipers besides Zaitsev", rule="16.11", high=MOST_SNIPERS),
    KeptNumber(name="tanks", title="Soviet tanks on the map", rule="16.33", high=MOST_SOVIET_TANKS),
    KeptChoice(
        name="repair_unit", title="Tank repair unit", rule="16.71", choices={"on": "on the map", "gone": "gone"}
    ),
    KeptList(
        name="divisions_used",
        title="German divisions that came",
        rule="3.6",
        is_set=True,
        most=4,
        item=KeptChoice(choices={division.value: division.word for division in Division}),
    ),
    KeptDay(name="div29_out", title="29th Motorized left on", rule="3.5", first=FIRST, last=LAST, optional=True),
    KeptDay(
        name="div29_artillery_out", title="Its artillery left on", rule="3.5", first=FIRST, last=LAST, optional=True
    ),
    TERRAIN_TOLD,
)
RECORD = Record(fields=_FIELDS)
