"""The course: 67 days of fifteen phases, some or all of which a scenario plays (2.3, 3.1, 4.1 to 4.3)."""

from collections.abc import Mapping
from dataclasses import dataclass

from firefight.engine.course.beginning import Option
from firefight.engine.course.course import NOTHING_KEPT, Button, Move, Position, Turn
from firefight.engine.course.phases import Phase, Phases
from firefight.engine.values import Values

from .calendar import tell_date
from .dates import TURNS, date_of, say_date, turn_of
from .phases import BOTH, find_phase, list_phases, tell_markers
from .terms import CAMPAIGN, SIDES, Side

GERMAN = Side.GERMAN.value
END, NEXT = "end", "phase"
PHASES = tuple(
    Phase(str(facts.number), facts.name, "" if facts.side == BOTH else facts.side, first=facts.first_placer or "")
    for facts in list_phases()
)
SCENARIO = str(CAMPAIGN)
BY_CARD = ("4", "5", "6", "7", "8")  # their days stand on their owner's cards
SHORT_SCENARIOS = {"1": 13, "2": 13}  # turns from 13 September on
ENDED = "The German ends the game here (3.1): count the victory points."
OVER = "The last turn ends, and with it the game: count the victory points."


@dataclass(frozen=True, kw_only=True, eq=False)
class Days(Phases):
    """Days of fifteen phases. As one begins the German may end the game (3.1)."""

    shows_ways = True

    def buttons(self, position: Position, record: Values = NOTHING_KEPT) -> tuple[Button, ...]:
        """The next phase, or the end after the last one; in the first one the German may say that the game ends."""
        ways = (Button(NEXT, "End the game"),) if self.is_last(position) else super().buttons(position, record)
        return (Button(END, "End the game", GERMAN), *ways) if position.phase == PHASES[0].slug else ways

    def press(self, position: Position, slug: str, record: Values = NOTHING_KEPT) -> Move:
        """Follow a button; where the game ends the match stays, and the points are due."""
        if slug not in {button.slug for button in self.buttons(position, record)}:
            raise self._no_such_button(position)
        if slug == END:
            return Move(position, ENDED)
        if self.is_last(position):
            return Move(position, OVER)
        return super().press(position, slug, record)

    def is_last(self, position: Position) -> bool:
        """Whether it is the last phase of the last turn."""
        return position.turn == len(self.turns) and position.phase == PHASES[-1].slug

    def date_of(self, position: Position) -> str:
        """The date of a position."""
        return self.turns[position.turn - 1].facts["date"]

    def number_of(self, position: Position) -> int:
        """The phase of a position, 1 to 15."""
        return int(position.phase)


def _title(turn: int) -> str:
    """A day, short enough for a phone's bar: 13 Sep."""
    day, month = say_date(date_of(turn)).split()
    return f"{day} {month[:3]}"


DAYS = tuple(Turn(_title(turn), {"date": date_of(turn)}) for turn in range(1, TURNS + 1))


def days_from(first_turn: int, last_turn: int) -> Days:
    """The course from one turn to another, by their numbers in the campaign: 13 September is 1."""
    return Days(sides=SIDES, phases=PHASES, turns=DAYS[:last_turn], first_turn=first_turn, numbered=True)


COURSE = days_from(1, TURNS)


def tell_turn(position: Position) -> list[str]:
    """What a day and its phase are about: what comes, goes and begins on the date, which markers go in the phase."""
    return [*tell_date(COURSE.date_of(position)), *tell_markers(find_phase(COURSE.number_of(position)))]


def choose_course(options: Mapping[str, str]) -> Days:
    """The days of a scenario: the text gives the turns of 1 and 2, whoever has the card those of 4 to 8."""
    scenario = options.get("scenario", SCENARIO)
    if scenario in SHORT_SCENARIOS:
        return days_from(1, SHORT_SCENARIOS[scenario])
    if scenario not in BY_CARD:
        return COURSE
    first_turn = turn_of(options.get("first-day", date_of(1)))
    return days_from(first_turn, min(TURNS, first_turn + int(options.get("length", TURNS)) - 1))


SCENARIO_OPTIONS = (
    Option(
        "scenario",
        "Scenario",
        {
            SCENARIO: "3, the campaign: 13 September to 18 November",
            **{number: f"{number}: 13 to 25 September" for number in SHORT_SCENARIOS},
            **{number: f"{number}, by its card" for number in BY_CARD},
        },
    ),
    Option(
        "first-day",
        "First day, by the card",
        {date_of(turn): say_date(date_of(turn)) for turn in range(1, TURNS + 1)},
        only_with=("scenario", BY_CARD),
    ),
    Option(
        "length",
        "Turns, by the card",
        {str(turns): str(turns) for turns in range(1, TURNS + 1)},
        only_with=("scenario", BY_CARD),
    ),
)
