"""Who comes and who goes on a date, by the columns of an owner's sheet (6.2, 18.1, 18.2, 21.1)."""

from collections.abc import Iterator, Sequence

from firefight.engine.board.counters import Piece
from firefight.engine.course.keeping import DueAtStep, TableState
from firefight.engine.rolls.result import FollowUp
from firefight.engine.text import join_words
from firefight.engine.values import Json, Values

from .becoming import find_marker
from .deployment import Deployment, list_gun_goals
from .kinds import CounterClass, Unit, read_annotation
from .sides import Side, Time
from .track import list_due
from .weeks import Force

COLUMNS = {"withdrawal": "leaves", "entry": "arrives"}  # by roll


def list_due_at_dawn(date: str, time: Time, situation: TableState) -> tuple[DueAtStep, ...]:
    """What Dawn asks for, without withdrawals and reinforcements on dates on which, by the owner's sheets, none of the
    units leaves or arrives (6.2, 21.1)."""
    kinds = [*situation.kinds, *(piece.kind for piece in situation.pieces)]
    dates_by_roll = {
        slug: {read_annotation(note) for kind in kinds if (note := getattr(kind, column))}
        for slug, column in COLUMNS.items()
    }
    steps = list_due(date, time)
    is_dawn = any(step.helper == "entry" for step in steps)
    due_now = [step for step in steps if not (dates := dates_by_roll.get(step.helper)) or step.inputs["date"] in dates]
    return (*map(DueAtStep, due_now), *(_ask_guns(date, Deployment.of(situation)) if is_dawn else ()))


def _ask_guns(date: str, deployed: Deployment) -> Iterator[DueAtStep]:
    """Where German artillery that was taken off the map returns (15.22); not one that comes on this date or later."""
    for piece in deployed.situation.pieces:
        counter, arrives = piece.counter, piece.kind.arrives
        is_off = counter.in_play and not counter.place and piece.kind.sort is CounterClass.ARTILLERY
        if is_off and not (arrives and read_annotation(arrives) > date):
            who = [{"name": counter.name, "id": counter.id}]
            goals = " ".join(list_gun_goals(piece, deployed))
            inputs = {"side": counter.side, "force": Force.GUNS.value, "who": who, "goals": goals}
            yield DueAtStep(FollowUp("entry", f"{counter.name} returns", inputs), cause=counter.id)


def fill_arrivals(about: Values, date: str, situation: TableState) -> Json:
    """The Germans who enter on a date, as far as they stand nowhere yet (6.2)."""
    if about.get("force", Force.GERMAN) != Force.GERMAN:
        return {}
    pieces = [piece for piece in _list_dated("arrives", date, situation.pieces) if piece.counter.side == Side.GERMAN]
    waiting = [piece.counter for piece in pieces if piece.counter.in_play and not piece.counter.place]
    return {"who": [{"name": counter.name, "id": counter.id} for counter in waiting]}


def tell_at_dawn(date: str, situation: TableState) -> Iterator[str]:
    """Which units come and go on a date, in sentences."""
    leaving = _list_dated("leaves", date, situation.pieces)
    if lost := [piece for piece in leaving if not piece.counter.in_play]:
        yield f"Should leave now and cannot, so the Russian is compensated (21.1): {_name(lost)}."
    if present := [piece for piece in leaving if piece.counter.in_play]:
        yield f"Leaving now unless isolated (21.1): {_name(present)}."
    arriving = [piece for piece in _list_dated("arrives", date, situation.pieces) if piece.counter.in_play]
    counters = [piece for piece in arriving if not piece.counter.place]
    if germans := [piece for piece in counters if piece.counter.side == Side.GERMAN]:
        yield f"Arriving in German Zones C, D, E or F (6.2, 18.2): {_name(germans)}."
    if russians := [piece for piece in counters if piece.counter.side == Side.RUSSIAN]:
        yield f"Arriving on the East bank (6.2, 18.2): {_name(russians)}."
    present_kinds = {piece.kind.key for piece in situation.pieces}
    if names := [kind.name for kind in _list_kinds(date, situation.kinds) if kind.key not in present_kinds]:
        yield f"Arriving, but not in play yet (6.2): {join_words(names)}."


def fill_withdrawal(date: str, situation: TableState) -> Json:
    """The units that leave on a date: those on the map and not isolated (21.1)."""
    leaving = [piece.counter for piece in _list_dated("leaves", date, situation.pieces) if piece.counter.in_play]
    free = [counter for counter in leaving if counter.place and not find_marker(counter)]
    return {"who": [{"name": counter.name, "id": counter.id} for counter in free]}


def _list_dated(column: str, date: str, pieces: Sequence[Piece]) -> list[Piece]:
    return [piece for piece in pieces if (note := getattr(piece.kind, column)) and read_annotation(note) == date]


def _list_kinds(date: str, kinds: Sequence[Unit]) -> list[Unit]:
    return [kind for kind in kinds if kind.arrives and read_annotation(kind.arrives) == date]


def _name(pieces: Sequence[Piece]) -> str:
    return join_words(piece.counter.name for piece in pieces)
