"""Streets of Stalingrad as the frame knows it: its sides, its phases, its charts, what is agreed as a match begins."""

from firefight.engine.course.beginning import Option
from firefight.kit import OF_WEEKS, BarItem, FirstRoll, Game, PageWords, Typical

from .board import BOARD
from .counters import COUNTERS
from .rules import charts
from .rules.board import show_board
from .rules.course import COURSE, SCENARIO_OPTIONS, choose_course, tell_turn
from .rules.keeping import TITLES, Keeping
from .rules.record import RECORD
from .rules.targets import list_targets
from .rules.telling import tell_streets_roll
from .rules.terms import SIDES, SLUG

OPTIONS = (
    Option(
        "tank-note",
        "Tanks and StuGs that fire alone at range 2 or more at men on foot",
        {"deleted": "eliminate as others do", "kept": "only pin or make spent"},
        "tank_note",
        ("attack", "defensive-fire"),
        seldom=True,
    ),
    Option(
        "pavlov",
        "Pavlov's 2 in his house",
        {"everywhere": "wherever another leader gives 1", "attacks": "in attack rolls alone"},
        "pavlov",
        ("defensive-fire",),
        seldom=True,
    ),
    Option(
        "strong-point",
        "A P on a strong point",
        {"stays": "pins, nobody retreats", "choice": "is as in a forest"},
        "strong_point",
        ("attack", "p-result"),
        seldom=True,
    ),
    Option(
        "waiver",
        "From 26 September, no +1 of armour in built-up hexes",
        {"fire": "for attacks and defensive fire", "opportunity": "for opportunity fire, too"},
        "waiver",
        ("defensive-fire",),
        seldom=True,
    ),
    Option(
        "occupied",
        "A victory hex is occupied",
        {"standing": "where a German unit stands at the end", "passed": "where a German unit was last"},
        "occupied",
        ("victory",),
        seldom=True,
    ),
    Option(
        "transport-mines",
        "Transports on a minefield",
        {"no": "may not stand there", "yes": "may stand there"},
        "transport_mines",
        ("stacking",),
        seldom=True,
    ),
    Option(
        "breakdown-boxes",
        "Tanks in East Bank boxes from 11 October",
        {"map": "roll once they are on the map", "boxes": "roll there, too"},
        "breakdown_boxes",
        ("tank",),
        seldom=True,
    ),
)

AIMED = ("battle", "attack", "defensive-fire", "bombardment")  # what counters do to other counters
# What units may do: the counters that are selected fill these.
MAY_I = (
    *("permissions", "step", "movement", "opportunity", "retreat", "reserves", "breakthrough"),
    *("may-counter-attack", "stacking"),
)

GAME = Game(
    slug=SLUG,
    title="Streets of Stalingrad",
    sides=SIDES,
    course=COURSE,
    courses=choose_course,
    record=RECORD,
    keeping=Keeping(),
    strip=show_board,
    board=BOARD,
    board_apart=True,
    list_targets=list_targets,
    counters=COUNTERS,
    options=(*SCENARIO_OPTIONS, *OPTIONS),
    titles=TITLES,
    chart_specs=charts.SPECS,
    typical={
        "counter_attack": Typical("counter-attack", "9 AF against 10 DF", {"af": 9, "df": 10}),
        "mine_dog": Typical("mine-dog", "a mine dog", {}),
    },
    bar=(
        BarItem("Fire", "a", (*AIMED, "passage", "spotting", "anti-aircraft"), aims=AIMED, sums="AF"),
        BarItem("Losses", "l", ("losses", "p-result", "leader-survival", "counter-attack", "bombardment-losses")),
        BarItem("Hex", "h", ("hex",)),
        BarItem("May I", "i", MAY_I),
        BarItem("Day", "d", ("phase", "calendar", "isolation", "ammunition", "weather", "stukas", "victory")),
    ),
    longest=OF_WEEKS,
    tell_turn=tell_turn,
    tell_roll=tell_streets_roll,
    looked_up=("phase", "calendar"),
    first=FirstRoll(
        "attack",
        "24 AF with a leader attack a clear hex",
        {"points": "24", "terrain": "clear", "terrain_drm": "0", "leaders": "1", "adjacent_infantry": "on"},
    ),
    leading=AIMED,
    words=PageWords(
        match="match",
        place="hex",
        places="1842",
        counters="3 Leader, Observer",
        example="The first day",
        opening="Choose a roll below.",
        gist="Attacks with every modifier, bombardment, losses, leaders, and the calendar of 67 days.",
    ),
)
