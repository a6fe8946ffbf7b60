"""Inferno on the Volga as the frame knows it: who plays, whose turn it is, its tables, what a match keeps."""

from firefight.engine.course.beginning import Option
from firefight.kit import BarItem, Game, PageWords, Typical

from .rules import charts
from .rules.course import COURSE, MODES, SIDES
from .rules.keeping import Keeping
from .rules.levels import Level
from .rules.record import RECORD
from .rules.tables import SLUG

OPTIONS = (
    Option("level", "The Designer's Way", {each.value: each.word for each in Level}, helpers=("set-up",), seldom=True),
    Option(
        "recount",
        "Several Units back to the Track",
        {"recount": "rows are compared again after each", "once": "rows are compared once"},
        "reading",
        ("return-units",),
        seldom=True,
    ),
)

GAME = Game(
    slug=SLUG,
    title="Inferno on the Volga",
    sides=SIDES,
    course=COURSE,
    modes=MODES,
    record=RECORD,
    keeping=Keeping(),
    options=OPTIONS,
    chart_specs=charts.SPECS,
    typical={"fire": Typical("hits", "four dice of Double Fire", {"fire": "DF", "number": 4})},
    bar=(
        BarItem("Combat", "c", ("combat", "hits", "losses", "close-combat", "rubble", "advance")),
        BarItem("Cards", "a", ("german-card", "soviet-card", "targets", "capture")),
        BarItem("German", "g", ("call", "return-units", "deploy", "long-move", "short-moves", "attack-allowed")),
        BarItem("Soviets", "s", ("soviet-turn", "spawn", "roll-order", "soviet-dice", "soviet-die")),
        BarItem("Game", "v", ("victory", "set-up", "co-op", "designers-way")),
    ),
    leading=("combat", "soviet-turn", "call"),
    words=PageWords(
        match="game",
        place="hex",
        example="One evening on the Volga",
        opening="Choose a roll below. A turn ends with “Turn done”.",
        gist="Combat step by step, the Soviet turn by its rules, the Call, Rubble, cards and victory.",
    ),
)
