"""Inferno on the Volga as the frame knows it: who plays, whose turn it is, its tables, what a match keeps."""

from firefight.engine.course.beginning import Option
from firefight.engine.record import KeptStanding, Record
from firefight.kit import BarItem, Game, PageWords, Typical, read_data

from .board import VolgaMap, list_beside
from .rules import charts
from .rules.content import build_house_content
from .rules.course import APP, COURSE, MODES, SIDES
from .rules.keeping import Keeping
from .rules.levels import Level
from .rules.record import RECORD
from .rules.tables import SLUG
from .sheets import declare_sheets
from .solo.conductor import SoloGame
from .solo.own_table import MARK
from .solo.play import DRAWS, is_story
from .solo.setting_up import build_state

HOUSE_DATA = read_data(__package__ or "", "house")
HOUSE = build_house_content(HOUSE_DATA)
PARTS = build_state(HOUSE).keys()  # of a game's state; the rest of it is checked together with its content
CONDUCTOR = SoloGame(HOUSE)
STANDING = KeptStanding(
    name=CONDUCTOR.field,
    title=CONDUCTOR.title,
    known_to=APP,
    find_flaw=lambda standing: "" if standing.keys() in (PARTS, {MARK}) else "this is not a state of this game.",
)
OPTIONS = (
    Option(
        "board",
        "The board",
        {"app": "in the app, which keeps it and leads the game", "table": "on our table"},
    ),
    Option(
        "level", "The Designer's Way", {level.value: level.word for level in Level}, helpers=("set-up",), seldom=True
    ),
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
    record=Record((*RECORD.fields, STANDING), RECORD.place),
    conductor=CONDUCTOR,
    content=declare_sheets(HOUSE_DATA, HOUSE),
    board=VolgaMap(HOUSE),
    strip=list_beside,
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
    draws=DRAWS,
    is_story=is_story,
    words=PageWords(
        match="game",
        place="hex",
        example="One evening on the Volga",
        opening="Choose a roll below. A turn ends with “Turn done”.",
        gist="A whole game against the app, on its map; or Combat, Call and Soviet turn beside your own.",
    ),
)
