"""What sides decide in the course of an attack: who leaves, who fires, who advances (9.02)."""

from collections.abc import Iterable, Sequence

from firefight.engine.board.chosen import ChosenOfSort
from firefight.engine.board.counters import CounterChange
from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.rolls.result import FollowUp, Outcome, Result

from .terms import Side

MOST_HEXES = 6  # from which a hex is attacked


class Question(Outcome):
    """What a side decides in the course of an attack."""

    REPLY = "reply", "Does anybody leave, and is there defensive fire?"
    RETREAT = "retreat", "Does anybody leave before the attack?"
    FIRE = "fire", "Is there defensive fire?"
    AA = "aa", "Is there anti-aircraft fire?"
    DOGS = "dogs", "Does a mine dog attack?"
    CHASE = "chase", "Is there opportunity fire at those who leave?"
    MOVERS = "movers", "Is there opportunity fire at those who move?"
    EMPTY = "empty", "Is nobody left there, and does anybody advance?"
    ADVANCE = "advance", "Does anybody advance into the empty hex?"
    COUNTER = "counter", "Is there an instant counter-attack?"
    FOLLOW = "follow", "Do counter-attackers go into the hex?"
    HOME = "home", "To which unit of his command does the leader go?"


HOLD, NONE, SOME_LEAVE, ALL_LEAVE, FIRES, GOES = "hold", "none", "some_leave", "all_leave", "fire", "go"
CHOICES = {
    "": "—",
    HOLD: "All stay, nobody fires",
    NONE: "No",
    SOME_LEAVE: "Some leave",
    ALL_LEAVE: "All leave",
    **{f"{FIRES}_{number}": f"Fire at hex {number}" for number in range(1, MOST_HEXES + 1)},
    GOES: "Yes",
    **{f"{GOES}_{number}": f"To hex {number}" for number in range(1, MOST_HEXES + 1)},
}
RULES_OF = {
    Question.REPLY: ("9.41", "9.43", "9.56", "9.57"),
    Question.RETREAT: ("9.41", "9.43", "9.44", "9.48"),
    Question.FIRE: ("9.12", "9.51", "9.56"),
    Question.AA: ("15.42",),
    Question.DOGS: ("16.23 Mine Dogs",),
    Question.CHASE: ("9.47", "11.1"),
    Question.MOVERS: ("11.1", "11.8", "11.10"),
    Question.EMPTY: ("9.85 Advance After Combat", "9.86"),
    Question.ADVANCE: ("9.85 Advance After Combat", "9.86"),
    Question.COUNTER: ("12.1", "12.3", "12.5"),
    Question.FOLLOW: ("12.6", "12.9"),
    Question.HOME: ("18.34",),
}


GOING_IN = (Question.ADVANCE, Question.EMPTY, Question.FOLLOW)
YES_OR_NO = (Question.AA, Question.DOGS, Question.CHASE, Question.MOVERS, Question.COUNTER)


def list_choices(
    question: Question, side: Side, hexes: Sequence[int], one_stays: bool = False, places: Sequence[str] = ()
) -> dict[str, str]:
    """What a side may choose, with its words. ``hexes``: the points of those that may be fired at, 0 for the others;
    for fire at movers a 0 where somebody has fired already. ``one_stays``: certainly not all may leave (9.45).
    ``places``: those hexes, () where nobody has named them."""
    if question in (Question.CHASE, Question.MOVERS) and 0 in hexes:
        return {NONE: "No more fire", GOES: "Another hex fires"}
    if question in YES_OR_NO:
        return {NONE: "No", GOES: "Yes"}
    if question in GOING_IN:
        no_advance = "Nobody advances" if question is not Question.EMPTY else "Somebody is left, or nobody advances"
        return {NONE: no_advance, GOES: "Advance"}
    if question is Question.HOME:
        return {**{f"{GOES}_{number}": f"To {place}" for number, place in enumerate(places, 1)}, NONE: "He stays"}
    leaves = {SOME_LEAVE: "Some leave, one unit stays"}
    if side is Side.GERMAN and not one_stays:
        leaves[ALL_LEAVE] = "All leave: armour alone, attacked by none"
    if question is Question.RETREAT:
        return {HOLD: "All stay", **leaves}
    open_hexes = [number for number, points in enumerate(hexes, 1) if points] or [1]
    fire_choices = {
        f"{FIRES}_{number}": _call_fire(number, hexes, places) if len(hexes) > 1 else "Defensive fire"
        for number in open_hexes
    }
    if question is Question.FIRE:
        return {NONE: "No more fire" if 0 in hexes else "No fire", **fire_choices}
    return {HOLD: "All stay, no fire", **fire_choices, **leaves}


def _call_fire(number: int, hexes: Sequence[int], places: Sequence[str]) -> str:
    hex_name = places[number - 1] if len(places) == len(hexes) else f"hex {number}"
    return f"Fire at {hex_name}: {hexes[number - 1]} AF"


class Decision(Outcome):
    """Whether a side has decided."""

    OPEN = "open", "not decided yet"
    CHOSEN = "chosen"


def decide(
    *,
    charts: Book,
    side: Side,
    question: Question,
    hexes: tuple[int, ...],
    choice: str = "",
    one_stays: bool = False,
    places: tuple[str, ...] = (),
    who: Sequence[ChosenOfSort] = (),
) -> Result:
    """A decision in the course of an attack. ``who``: the leader who goes (18.34). Raises BadInput for what may not be
    chosen."""
    choices = list_choices(question, side, hexes, one_stays, places)
    if not choice:
        return Result(f"{side.word}: {question.word}", Decision.OPEN, rules=RULES_OF[question])
    if choice not in choices:
        raise BadInput({"choice": f"{question.word} {', '.join(choices.values())}: choose one of these."})
    goes_to = places[[*choices].index(choice)] if question is Question.HOME and choice != NONE else ""
    return Result(
        f"{side.word}: {choices[choice][0].lower()}{choices[choice][1:]}.",
        Decision.CHOSEN,
        details={"choice": choice},
        calls_off=question is Question.AA and choice == GOES,  # a bombardment: those that are left make it
        effects=tuple(_say_choice(choice, question)),
        changes=tuple(CounterChange(leader.id, to=goes_to) for leader in who if leader.id and goes_to),
        rules=RULES_OF[question],
    )


def _say_choice(choice: str, question: Question) -> Iterable[str]:
    if choice == SOME_LEAVE:
        yield "One combat unit stays (9.43). One hex, or a quarter of the printed MP, next to no enemy (9.47, 9.48)."
    elif choice == ALL_LEAVE:
        yield "Only German armour that no Soviet armour attacks may leave altogether (9.45): the attack falls away."
    elif choice == GOES and question in (Question.ADVANCE, Question.EMPTY):
        yield "Attackers next to it, up to the stacking limit, and only where they may enter (9.85, 9.86)."


TITLES = {
    Question.REPLY: "Retreat or fire",
    Question.RETREAT: "Retreat before combat",
    Question.FIRE: "Fire in defence",
    Question.AA: "Fire at Stukas",
    Question.DOGS: "Mine dogs",
    Question.CHASE: "Opportunity fire at who leaves",
    Question.MOVERS: "Opportunity fire",
    Question.EMPTY: "Advance, if nobody is left",
    Question.ADVANCE: "Advance",
    Question.COUNTER: "Counter-attack",
    Question.FOLLOW: "Advance of the counter-attackers",
    Question.HOME: "A leader left alone",
}


def ask_side(question: Question, side: Side, hexes: Sequence[int] = (), **facts: object) -> FollowUp:
    """A decision that is due. ``hexes``, ``facts``: as list_choices takes them."""
    inputs = {"side": side.value, "question": question.value, "hexes": list(hexes)}
    return FollowUp("decide", TITLES[question], {**inputs, **{name: value for name, value in facts.items() if value}})


class FallAway(Outcome):
    """An attack that is over before its die."""

    FALLS_AWAY = "falls_away", "falls away"


def fall_away(*, charts: Book, side: Side) -> Result:
    """No attacker is left: all are pinned, gone or sent home (9.66)."""
    return Result(f"{side.word} attack: nobody is left to make it.", FallAway.FALLS_AWAY, rules=("9.12", "9.66"))


def call_off(side: Side) -> FollowUp:
    """What a match says about an attack for which nobody is left."""
    return FollowUp("fall-away", "The attack falls away", {"side": side.value})
