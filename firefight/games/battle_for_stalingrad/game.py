"""Battle for Stalingrad as the frame knows it: two sides, numbered turns, its charts."""

from firefight.engine.course.alternating import Turns
from firefight.engine.course.beginning import Option
from firefight.kit import BarItem, Game, PageWords, Typical

from .counters import COUNTERS
from .rules import charts
from .rules.combat import count_lost
from .rules.deployment import RECORD, show_board
from .rules.telling import tell_battle_roll
from .rules.terrain import SIDES

OPTIONS = (
    Option(
        "fractions",
        "A fraction of Fire Strength",
        {
            "ask": "is asked about at each roll",
            "down": "is rounded down",
            "up": "is rounded up",
            "nearest": "is rounded to the nearest, halves up",
        },
        "rounding",
        ("combat",),
        seldom=True,
    ),
)
SLUG = "battle-for-stalingrad"
_INTO_HEAVY = {"terrain": "heavy", "strength": 12}

GAME = Game(
    slug=SLUG,
    title="Battle for Stalingrad",
    sides=SIDES,
    course=Turns(sides=SIDES),  # the sheet has no sequence of play
    record=RECORD,
    counters=COUNTERS,
    tell_roll=tell_battle_roll,
    count_lost=count_lost,
    strip=show_board,
    options=OPTIONS,
    chart_specs=charts.SPECS,
    typical={
        "crt": Typical("combat", "Fire Strength 12", {"strength": 12}),
        "terrain": Typical("combat", "Fire Strength 12 into a heavy structure", _INTO_HEAVY),
        "special_structures": Typical(
            "combat", "Fire Strength 12 into a special structure", {"terrain": "special", "strength": 12}
        ),
    },
    low_is_lucky=frozenset({"combat"}),
    bar=(
        BarItem("Combat", "c", ("combat",), ("combat",), "Fire Strength"),
        BarItem("Strength", "s", ("fire-strength", "terrain")),
        BarItem("Units", "u", ("unit", "militia", "deployment", "losses")),
    ),
    leading=("combat", "fire-strength", "deployment"),
    words=PageWords(
        place="hex",
        places="1726",
        attack="fire",
        area="off the map",
        counters="4 × 29 Mot 6-2-24, 29 Mot 8 10 12",
        example="September on the Volga",
        opening="Choose a card or a roll below.",
        gist="Combat with every term of its sum, terrain, units and militia.",
    ),
)
