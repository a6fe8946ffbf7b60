"""The list of rolls that are due: what is put on it, by which line, and for whom.

What one side alone knows of stands behind what all know, so that nothing left off a full list gives it away.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from firefight.columns import DueRoll
from firefight.engine.course.keeping import DueAtStep, Forestalled
from firefight.engine.rolls.result import FollowUp
from firefight.engine.text import join_words
from firefight.engine.values import Values
from firefight.games.registry import helpers
from firefight.models import LogEntry, Match
from firefight.table.act import bounds, episodes
from firefight.table.log import descent
from firefight.table.log.asked import drop_rows, find_reader, list_ids, pick_step, steps_of

from . import counters


def enqueue(
    match: Match,
    number: int,
    steps: Iterable[FollowUp],
    owner: str = "",
    at: int = 0,
    asker: str = "",
    idle: Collection[int] = (),
) -> None:
    """Put rolls on the list of what is due. ``number``: of the line that asks for them; ``asker``: whose line that is;
    ``at``: where on the list; ``idle``: the places of those that would be about nobody."""
    game_helpers = helpers(match.game)

    def fill(step: FollowUp) -> Mapping[str, object]:
        """The inputs that it is asked with: for a roll that is made once more, those of the first time."""
        old = None if step.anew is None else descent.find_repeatable(match, step.anew, step.helper)
        return {**old.inputs, **step.inputs} if old else step.inputs

    fresh = [
        DueRoll(
            id=f"{number}-{place}",
            helper=step.helper,
            title=step.title,
            inputs=fill(step),
            known_to=owner,
            read_by=owner or find_reader(game_helpers[step.helper], step.inputs, asker),
            anew=step.anew,
        )
        for place, step in enumerate(steps)
        if place not in idle
    ]
    queue = match.state.queue
    put_queue(match, [*queue[:at], *fresh, *queue[at:]])


def name_steps(number: int, mark: str, steps: Iterable[DueAtStep]) -> list[DueRoll]:
    """Rolls that a line has brought about besides what its result asks for; ``mark`` says why: see ``MARKS``.

    What one side alone knows of comes last, so that no missing number gives it away to the others.
    """
    return [
        DueRoll(
            f"{number}-{mark}{place}",
            step.roll.helper,
            _call(mark, step),
            step.roll.inputs,
            step.known_to,
            step.read_by,
            compulsory=step.compulsory,
        )
        for place, step in enumerate(sorted(steps, key=lambda step: bool(step.known_to)))
    ]


# In the ids of steps: what a step of the course asks for, what counters have come into, what their owners are asked,
# what others may do before a roll.
MARKS = HOUSE, FOLLOWED, OWNERS, FIRST = "h", "m", "s", "f"
HIDDEN = "Hidden: "


def _call(mark: str, step: DueAtStep) -> str:
    return f"{HIDDEN}{step.roll.title}" if step.known_to and mark != HOUSE else step.roll.title


def queue_behind_offers(match: Match, number: int, forestalled: Forestalled, roll: DueRoll) -> None:
    """Put a roll on the list behind what others may do before it: each offer is for the side whose counters it is
    about. ``number``: of the line that says so.
    """
    game_helpers = helpers(match.game)
    offers = [
        replace(step, read_by=find_reader(game_helpers[step.helper], step.inputs, ""))
        for step in name_steps(number, FIRST, forestalled.offers)
    ]
    put_queue(match, [*offers, roll, *match.state.queue])


MOOT = "moot"  # where a line that says that rolls are no longer due names them, by the ids of the steps


def restore_moot(match: Match, corrected: int) -> list[DueRoll]:
    """Put back on the list what was no longer due for counters that a correction has brought back into play.

    ``corrected``: the number of the line that was: what lines before it said stands. Returns these steps.
    """
    lines = match.log.filter(kind=LogEntry.Kind.DROP, number__gt=corrected, voided_by=None)
    ids = dict.fromkeys(step_id for line in lines.order_by("number") for step_id in line.inputs.get(MOOT, ()))
    restored = [step for step_id in ids if (step := _read_again(match, step_id))]
    put_queue(match, [*match.state.queue, *restored])
    return restored


CALLED_OFF = "called_off"  # where the line ``about`` a roll holds the steps that the roll has called off


def restore_called_off(match: Match, struck: Collection[int]) -> tuple[list[DueRoll], list[int]]:
    """Put back at the head of the list what was called off by rolls that no longer stand.

    ``struck``: the lines of these rolls. Returns the steps, and the lines that said that they were no longer due.
    """
    later_lines = match.log.filter(number__gt=min(struck, default=0), voided_by=None)
    drops = later_lines.filter(kind=LogEntry.Kind.DROP, about__in=struck)
    lines = [line for line in drops.order_by("number") if line.inputs.get(CALLED_OFF)]
    game_helpers, queue = helpers(match.game), match.state.queue
    steps = [_read_step(plain) for line in lines for plain in line.inputs[CALLED_OFF]]
    ids_listed = {step.id for step in queue}
    restored = [step for step in steps if step and step.helper in game_helpers and step.id not in ids_listed]
    put_queue(match, [*restored, *queue])
    return restored, [line.number for line in lines]


def _read_step(plain: object) -> DueRoll | None:
    """A step as the inputs of a line hold it; None for whatever is not a step, as in an altered file."""
    texts = ("id", "helper", "title")
    if not isinstance(plain, dict) or not all(isinstance(plain.get(name), str) for name in texts):
        return None
    return DueRoll.from_json(plain) if isinstance(plain.get("inputs"), dict) else None


def _read_again(match: Match, step_id: str) -> DueRoll | None:
    """A step that is due after all: the line that asks for it stands, nobody has answered it, its counter is there."""
    number, _, place = step_id.partition("-")
    standing = match.log.filter(voided_by=None)
    line = standing.filter(number=episodes.parent_of(number)).first()
    step = pick_step(place, steps_of(line)) if line else None
    counter_id = step.inputs.get("id") if step else None
    counter = counters.store_of(match).find(str(counter_id)) if counter_id else None
    is_open = (
        step_id not in {due_roll.id for due_roll in match.state.queue} and not standing.filter(due=step_id).exists()
    )
    if line is None or step is None or counter is None or counter.fate or not is_open:
        return None
    reader = find_reader(helpers(match.game)[step.helper], step.inputs, line.side)
    return DueRoll(step_id, step.helper, step.title, step.inputs, read_by=reader)


def is_offer(step: DueRoll) -> bool:
    """Whether a due roll is something that its side may do before another roll, or do without."""
    return step.id.partition("-")[2].startswith(FIRST)


def find_prior(match: Match, step: DueRoll) -> DueRoll | None:
    """What others may still do before a due roll is made."""
    head = f"{step.id.partition('-')[0]}-{FIRST}"
    return None if is_offer(step) else next((roll for roll in match.state.queue if roll.id.startswith(head)), None)


def put_queue(match: Match, steps: Sequence[DueRoll]) -> None:
    """Let these be the rolls that are due, as many as there is room for."""
    room = bounds.MOST_STEPS
    if len(steps) > room:
        room_left = room - sum(not step.known_to for step in steps)
        secret_ids = [step.id for step in steps if step.known_to][: max(0, room_left)]
        steps = [step for step in steps if not step.known_to or step.id in secret_ids][:room]
    match.state = replace(match.state, queue=tuple(steps))


def find_compulsory(match: Match) -> list[DueRoll]:
    """What the course waits for: nothing leads out of its step before all of it is made, or done without."""
    return [step for step in match.state.queue if step.compulsory]


def say_compulsory(steps: Iterable[DueRoll]) -> str:
    """What is still to be done before a match goes on, each with its rule, as a sentence."""
    return f"First: {join_words(f'{step.title} ({step.compulsory})' for step in steps)}."


def let_go(match: Match) -> None:
    """What a step asked for no longer holds anything up once players have gone elsewhere by hand."""
    put_queue(match, [replace(step, compulsory="") for step in match.state.queue])


def split_course(steps: Iterable[DueRoll]) -> tuple[list[DueRoll], list[DueRoll]]:
    """What the step of the course asks for, and whatever else is due."""
    of_course: list[DueRoll] = []
    rest: list[DueRoll] = []
    for step in steps:
        (of_course if f"-{HOUSE}" in step.id else rest).append(step)
    return of_course, rest


def leave_out_asked(
    queue: Iterable[DueRoll], rolls_asked: Collection[tuple[str, Values]], about: Iterable[str]
) -> list[DueRoll]:
    """A list without what a step of the course has asked for and now asks again: the same helper, about the same."""
    names = tuple(about)
    return [
        step
        for step in queue
        if f"-{HOUSE}" not in step.id
        or (step.helper, {name: step.inputs[name] for name in names if step.inputs.get(name)}) not in rolls_asked
    ]


def open_if_seen(step: DueRoll, places: Mapping[str, str]) -> DueRoll:
    """A step that one side alone knows of, open to all once they see its counters where it finds them.

    ``places``: where the counters in sight stand, by id. One that went on before it was seen has been elsewhere
    in secret, and that stays its side's secret.
    """
    lists = [value for value in step.inputs.values() if isinstance(value, (list, tuple))] if step.known_to else []
    rows = [row for row_list in lists for row in row_list if isinstance(row, Mapping)]
    if not rows or any(places.get(row.get("id", "")) not in row.values() for row in rows):
        return step
    return replace(step, known_to="", title=step.title.removeprefix(HIDDEN))


def leave_out(step: DueRoll, ids: Collection[str]) -> DueRoll | None:
    """A due roll without these counters; None where it is about nobody else."""
    if not set(ids) & set(list_ids(step.inputs)):
        return step
    inputs = drop_rows(step.inputs, ids)
    return None if inputs is None else replace(step, inputs=inputs)


def take_off_moves(match: Match, entry: LogEntry) -> None:
    """Take off the list what counters came into by a line that is undone, and what else it made due."""
    changed, heads, own = entry.inputs.get("counters", {}), _find_heads(match, entry), f"{entry.number}-{FOLLOWED}"

    def keep(step: DueRoll) -> DueRoll | None:
        head = step.id.rstrip("0123456789")
        if head == own and not list_ids(step.inputs):
            return None
        return leave_out(step, changed) if head in heads else step

    put_queue(match, [step for step in map(keep, match.state.queue) if step])


def find_answers(match: Match, entry: LogEntry) -> list[LogEntry]:
    """The rolls that stand and were made because of what the act of a line did to counters."""
    rolls = match.log.filter(number__gt=entry.number, kind=LogEntry.Kind.ROLL, voided_by=None).exclude(due="")
    heads = _find_heads(match, entry)
    return [roll for roll in rolls.order_by("number") if roll.due.rstrip("0123456789") in heads]


def _find_heads(match: Match, entry: LogEntry) -> set[str]:
    """How the ids of the steps begin that counters came into by the act of a line; a line from a file has none."""
    of_act = match.log.filter(act=entry.act_id).values_list("number", flat=True) if entry.act_id else ()
    return {f"{number}-{FOLLOWED}" for number in of_act or (entry.number,)}
