"""Weather and how many Stukas fly (15.5 Stuka Availability)."""

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Numbers
from firefight.engine.errors import BadInput
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.result import Outcome, Result, sources, waiting

from .data import from_text, read_lists
from .dates import date_of, has_begun, say_date
from .terms import CAMPAIGN

WORST_WEATHER = 2  # the last face that is bad (15.53)
STUKAS_LESS_DIE = 22  # 15.52
MOST_STUKAS = 21


class Weather(Outcome):
    """What it is like all turn."""

    NO_ROLL = "no_roll", "no roll yet"
    BAD = "bad", "bad weather"
    FAIR = "fair", "fair weather"


class Stukas(Outcome):
    """Whether any fly this turn."""

    AVAILABLE = "available"
    GROUNDED = "grounded"
    UNDETERMINED = "undetermined", "the scenario card says it"


def weather(*, charts: Book, date: str, die: int | None = None) -> Result:
    """The weather of a turn: bad on 1 or 2, from 21 October on (15.53 Bad Weather)."""
    rules = ("15.53 Bad Weather",)
    if not has_begun("weather", date):
        first_day = say_date(read_lists("calendar")["begins"]["weather"])
        return Result(
            f"Weather: no roll before {first_day}.", Weather.NO_ROLL, rules=rules, provenance=from_text("calendar")
        )
    if die is None:
        return waiting(f"Weather: the Soviet rolls a d10, bad on 1 to {WORST_WEATHER}.", "die", rules=rules)
    outcome = Weather.BAD if is_bad(die) else Weather.FAIR
    sight_rule = "The Germans see Soviets in clear hexes within 4 hexes and in line of sight only (7.4)."
    return Result(
        f"Weather: {outcome.word}.",
        outcome,
        dice={"die": die},
        modified=die,
        effects=("No Stuka flies this turn.", sight_rule) if outcome is Weather.BAD else (),
        rules=(*rules, *(("7.4",) if outcome is Weather.BAD else ())),
        provenance=from_text("calendar"),
    )


def is_bad(die: int) -> bool:
    """Whether a weather roll grounds the Stukas."""
    return check_face(die, 10) <= WORST_WEATHER


def rolls_weather(turn: int) -> bool:
    """Whether there is a weather roll in a turn (15.53)."""
    return has_begun("weather", date_of(turn))


def stukas(
    *,
    charts: Book,
    turn: int,
    bad_weather: bool,
    fair_weather: bool = False,
    scenario: int = CAMPAIGN,
    by_card: bool = False,
    stuka_die: int | None = None,
    weather_die: int | None = None,
) -> Result:
    """How many Stukas fly in a turn: by the card, in the campaign from the second on 22 less the die (15.51 to 15.53).

    bad_weather, fair_weather: what this turn's roll said, if it was made. weather_die: that roll, where it is made
    at once. by_card: ask for the card's number where nobody has given it yet (MissingChart).
    """
    if bad_weather and fair_weather:
        raise BadInput({"fair_weather": "The weather is bad or fair, not both."})
    rules = ("15.51", "15.52", *(("15.53 Bad Weather",) if rolls_weather(turn) else ()))
    dice = {} if weather_die is None else {"weather_die": weather_die}
    if bad_weather or (weather_die is not None and is_bad(weather_die)):
        return Result(
            "Bad weather: no Stukas this turn.",
            Stukas.GROUNDED,
            dice=dice,
            details={"stukas": 0},
            rules=rules,
            provenance=from_text("calendar"),
        )
    if is_by_card(scenario, turn):
        return _count_by_card(charts, scenario, by_card, dice, rules)
    if stuka_die is None:
        return waiting(
            f"Stukas: the German rolls a d10, {STUKAS_LESS_DIE} less it.", "stuka_die", dice=dice, rules=rules
        )
    number = STUKAS_LESS_DIE - check_face(stuka_die, 10, "stuka_die")
    return Result(
        f"{number} Stukas this turn.",
        Stukas.AVAILABLE,
        dice={**dice, "stuka_die": stuka_die},
        modified=stuka_die,
        details={"stukas": number},
        rules=rules,
        provenance=from_text("calendar"),
    )


def is_by_card(scenario: int, turn: int) -> bool:
    """Whether the German's card says how many fly: not in the campaign from its second turn on (15.51, 15.52)."""
    return scenario != CAMPAIGN or turn == 1


def _count_by_card(charts: Book, scenario: int, ask: bool, dice: dict[str, int], rules: tuple[str, ...]) -> Result:
    chart = charts["stukas"]
    assert isinstance(chart, Numbers)
    if chart.is_blank(str(scenario)) and not ask:
        return Result(
            f"Stukas in scenario {scenario}: as its German card says.",
            Stukas.UNDETERMINED,
            dice=dice,
            details={"stukas": None},
            effects=("Tick “by the card”, and tell its number once (15.51).",),
            rules=rules,
        )
    number = chart.get(str(scenario))
    return Result(
        f"{number} Stukas, by the German card.",
        Stukas.AVAILABLE,
        dice=dice,
        details={"stukas": number},
        rules=rules,
        provenance=sources([chart]),
    )
