"""Turning Point: Stalingrad as the frame knows it: its sides, its track, its charts."""

from firefight.engine.course.beginning import Option
from firefight.kit import BarItem, Game, PageWords, Typical

from .board import BOARD
from .counters import COUNTERS
from .rules import charts
from .rules.board import show_board
from .rules.course import COURSE
from .rules.guiding import ImpulseGuide
from .rules.keeping import Keeping
from .rules.record import RECORD
from .rules.sides import SIDES, SLUG
from .rules.telling import tell_impulse_roll

OPTIONS = (
    Option(
        "dated-bonus",
        "Russian defence bonus from 27 September",
        {"separate": "beside artillery", "artillery": "only as artillery"},
        "reading",
        ("defensive-value", "attack"),
        seldom=True,
    ),
    Option(
        "reset-box",
        "Boxes to which the Advantage resets",
        {"literal": "1 by day, 3 at night", "marker": "where days and nights begin by date"},
        "reading",
        ("impulse", "advantage"),
        seldom=True,
    ),
    Option(
        "attrition",
        "A Fresh unit that Attrition puts at D4",
        {"listed": "loses a dot at the same Dawn", "kept": "stays at D4 that Dawn"},
        "reading",
        ("dawn",),
        seldom=True,
    ),
    Option(
        "spread",
        "The ends of a week's spread",
        {"strict": "let the game go on", "inclusive": "decide it"},
        "reading",
        ("victory",),
        seldom=True,
    ),
)

GAME = Game(
    slug=SLUG,
    title="Turning Point: Stalingrad",
    sides=SIDES,
    course=COURSE,
    record=RECORD,
    tell_roll=tell_impulse_roll,
    keeping=Keeping(),
    guide=ImpulseGuide(),
    strip=show_board,
    counters=COUNTERS,
    board=BOARD,
    board_apart=True,
    options=OPTIONS,
    chart_specs=charts.SPECS,
    typical={
        "crossing": Typical("crossing", "against 4 Interdiction Points", {"ip": 4}),
        "thresholds": Typical("rubble-entrance", "into Rubble 1 of one's own", {"friendly_controlled": True}),
    },
    low_is_lucky=frozenset({"armour-replacement", "counter-battery", "crossing", "infiltration", "refit"}),
    bar=(
        BarItem("Attack", "a", ("attack",), aims=("attack",)),
        BarItem("Losses", "l", ("payment", "retreat", "contested-retreat", "counter-battery", "disruption")),
        BarItem(
            "Move",
            "m",
            ("move", "entry-cost", "movement", "rubble-entrance", "infiltration", "regroup", "ferry", "crossing"),
        ),
        BarItem("Track", "i", ("impulse", "both-pass", "advantage", "calendar")),
    ),
    leading=("attack", "impulse", "dawn"),
    words=PageWords(
        match="match",
        place="Area",
        places="25 or C",
        example="The second week",
        counters="2 Armour 6-6-8, Artillery",
        opening="Choose a roll below. An impulse ends with “Impulse done”.",
        gist="Attacks, what they cost and who retreats; the impulse track, the Volga by night, Dawn.",
    ),
)
