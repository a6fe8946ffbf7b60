"""Combat! Stalingrad as the frame knows it: its sides and its turn, its charts, and the rolls that show them."""

from firefight.engine.charts.cells import is_digits
from firefight.kit import BarItem, FirstRoll, Gallery, Game, PageWords, Typical

from .board import BOARD
from .counters import COUNTERS
from .pictures import counters as pictures
from .pictures.paints import PAINTS
from .rules import charts, turn
from .rules.keeping import Keeping
from .rules.melee.sheet import MeleeRules
from .rules.reading import GAME as SLUG
from .rules.record import RECORD
from .rules.telling import tell_firefight_roll
from .rules.titles import TITLES

# What is shown beside a chart while it is typed in.
_FIRE = Typical(
    "fire",
    "{} FF on a unit in woods",
    {"modifiers": ["woods"]},
    at=lambda column: {"ff": int(column) if is_digits(column) else 0},
    column="20",
)
_GUN = Typical("fire", "a 122 mm gun in the open", {"weapon": "caliber", "caliber": 122})
_CONTACT = Typical("contact", "by radio, danger close, low supply", {"danger_close": True, "supply": "low"})
_STRAY = Typical("accuracy", "a new CFF", {"marker": "new_cff", "aim": "K7"})
_MELEE = {"attack": 8, "defense": 4, "leader": True}
_CLOSE = Typical(
    "close-combat",
    "at {} with a leader",
    {"leader": True},
    at=lambda column: dict(zip(("attack", "defense"), column.split("-"), strict=False)),
    column="2-1",
)
_AIR = Typical("air-attack", "bombs of a Ju 87", {"hex": "K7"})

TYPICAL = {
    "fft": _FIRE,
    "fft_modifiers": _FIRE,
    "artillery_ff": _GUN,
    "fft_weapons": Typical("fire", "a flamethrower", {"weapon": "flamethrower"}),
    "contact": _CONTACT,
    "artillery_drm": _CONTACT,
    "ammunition_supply": _CONTACT,
    "accuracy": _STRAY,
    "call_off": Typical("call-off", "a plotted battery", {}),
    "morale": Typical("morale", "TQ 6, the check at +1", {"tq": 6, "modifier": 1}),
    "cct": _CLOSE,
    "cct_drm": _CLOSE,
    "cct_afv_in_open": Typical(
        "close-combat", "8 against an AFV of 4 in the open", {**_MELEE, "target": "afv", "afv_in_open": True}
    ),
    "air_support": _AIR,
    "aircraft": _AIR,
    **{
        weapon: Typical("anti-aircraft", "at 3 hexes", {"weapon": weapon, "range": 3})
        for weapon in ("dshk", "mg34", "gaz_aa")
    },
    "fo_loss": Typical("fo-loss", "a phone", {"item": "phone"}),
    "redeployment_infantry": Typical("redeployment", "infantry", {"unit": "infantry"}),
    "redeployment_vehicle": Typical("redeployment", "a vehicle", {"unit": "vehicle"}),
    "redeployment_drm": Typical("redeployment", "into a threatened sector", {"into": "threatened"}),
    **{
        f"recovery_{item}": Typical("recovery", words, {"what": item})
        for item, words in (
            ("m_killed", "an M-KILLED vehicle"),
            ("f_killed", "an F-KILLED vehicle"),
            ("wounded_leader", "a wounded leader"),
        )
    },
    "leaders": Typical("leader", "a German group", {"side": "german"}),
    "leaders_russian_six": Typical("leader", "a Russian group", {"side": "russian"}),
    "attack_bonus": Typical(
        "attack-or-hold",
        "both attack, the German with the bonus",
        {"german": "attack", "russian": "attack", "german_bonus": True},
    ),
}

GAME = Game(
    slug=SLUG,
    title="Combat! Stalingrad",
    sides=turn.SIDES,
    course=turn.COURSE,
    record=RECORD,
    keeping=Keeping(),
    joint=MeleeRules(),
    titles=TITLES,
    tell_roll=tell_firefight_roll,
    chart_specs=charts.SPECS,
    typical=TYPICAL,
    low_is_lucky=frozenset(
        {"contact", "accuracy", "fire", "morale", "close-combat", "redeployment", "fo-loss"}
        | {"air-arrival", "air-attack", "anti-aircraft"}
    ),
    bar=(
        BarItem("Fire", "f", ("fire",), aims=("fire",), sums="FF"),
        BarItem("Artillery", "a", ("contact", "accuracy", "bracket", "conversion", "firepower", "call-off")),
        BarItem("Melee", "m", ("close-combat",), aims=("close-combat",)),
        BarItem("Air", "i", ("air-arrival", "air-attack", "anti-aircraft"), aims=("anti-aircraft",)),
    ),
    leading=("fire", "contact", "close-combat"),
    leading_charts=("fft", "fft_modifiers", "fft_weapons", "morale", "cct", "cct_drm"),
    first=FirstRoll(
        "fire",
        "21 FF of two squads and a machine-gun at a Rifle squad in woods",
        {
            "ff": "21",
            "modifiers": ("woods",),
            "units": '[{"kind": "squad", "name": "Rifle squad", "tq": 6}]',
        },
        (
            ("german", "grenadier_squad"),
            ("german", "grenadier_squad"),
            ("german", "heavy_mg_34"),
            ("russian", "rifle_squad"),
        ),
    ),
    words=PageWords(
        match="firefight",
        example="Friday at the Tractor Works",
        opening="Choose a roll below. A fire mission starts with Contact.",
        gist="Fire, artillery, morale, close combat and aircraft, squad by squad.",
        ahead="The mission: filled once, carried to the last roll",
        sealed="plots, hidden units",
        cards="Missions",
        lines="Ground",
        place="hex",
        places="K7 or K7/1",
        area="sector",
        attack="fire",
        part="firefight",
        counters="3 Rifle squad, 1 Commissar #2",
    ),
    counters=COUNTERS,
    board=BOARD,
    board_apart=True,
    gallery=Gallery(
        draw=pictures.draw_counter,
        describe=pictures.describe_counter,
        paints=PAINTS,
    ),
)
