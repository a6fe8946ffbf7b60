"""What rolls write into the lasting lists of a match: works, divisions, AF saved, dates of the cards."""

from firefight.engine.course.keeping import TableState
from firefight.engine.errors import BadInput
from firefight.engine.record import RecordChange, clamp, put_in
from firefight.engine.rolls.result import Result
from firefight.engine.values import Values

from .dates import turn_of
from .divisions import LEAVES, Arrival, Formation
from .engineering import Delay
from .record import RECORD, TERRAIN_TOLD

Noted = tuple[RecordChange, ...]
OF_WORK = ("work", "side", "hex", "started")  # two entries that agree in these are one work


def note_division(inputs: Values, result: Result, situation: TableState) -> Noted:
    """A division that came counts as used; the 29th Motorized has left on that day (3.5, 3.6)."""
    which = Formation(inputs["which"])
    if result.outcome is not None and result.outcome.value == Arrival.LEAVES:
        return (RECORD.change({LEAVES[which]: inputs["date"]}),)
    is_new = which.value not in situation.record["divisions_used"]
    if result.outcome is None or result.outcome.value != Arrival.COMES or not is_new:
        return ()
    return (RECORD.change({"divisions_used": put_in(which.value)}),)


def note_saving(inputs: Values, result: Result, situation: TableState) -> Noted:
    """What did not fire is added to what was saved before (14.75)."""
    return (RECORD.change({"saved": {str(inputs["side"]): clamp(result.details["saved"])}}),)


def note_schedule(inputs: Values, result: Result, situation: TableState) -> Noted:
    """A date of the cards comes up on its day (21.2, 21.51)."""
    words = "leaves" if inputs["what"] == "leaves" else "may come"
    row = {"what": f"{inputs['unit']} {words}", "side": inputs["side"]}
    row |= {"turn": turn_of(inputs["date"]), "phase": result.details["phase"]}
    return (RECORD.change({"due": put_in(row)}),)


def check_schedule(inputs: Values, situation: TableState) -> None:
    """Raise BadInput for a day that is over: nothing would come up."""
    if turn_of(str(inputs["date"])) < situation.position.turn:
        raise BadInput({"date": "That day is over."})


# Works


def find_work(about: Values, situation: TableState) -> Values | None:
    """The work under way in a hex, or the newest of all (17.16); None where there is none."""
    moment = (situation.position.turn, int(situation.position.phase))
    under_way = [row for row in situation.record["works"] if _rank(row["placed"]) > moment]
    place = TERRAIN_TOLD.read_place(about.get("hex"))
    candidates = [row for row in under_way if row["hex"] == place] if place else under_way
    return candidates[-1] if candidates else None


def _rank(when: Values) -> tuple[int, int]:
    return int(when["turn"]), int(when["phase"])


def fill_delay(about: Values, situation: TableState) -> Values:
    """The work that is under way, one phase later than it was (17.16, 17.26, 17.36)."""
    work = find_work(about, situation)
    if work is None:
        return {}
    inputs = {name: work[name] for name in ("work", "side", "hex")} | work["started"]
    return {**inputs, "engineers": work["builders"], "hindered": work["hindered"] + 1}


def check_delay(inputs: Values, situation: TableState) -> None:
    """Raise BadInput where no such work is under way."""
    work = find_work(inputs, situation)
    if work is None or any(work[name] != inputs.get(name) for name in ("work", "side")):
        raise BadInput({"work": "No such work is under way there: begin it with Engineering (17.15)."})


def note_work(inputs: Values, result: Result, situation: TableState) -> Noted:
    """A work that is begun, and when it is done (17.16, 17.25, 17.35)."""
    details = result.details
    is_over = result.outcome is not None and result.outcome.value == Delay.OVER
    if not details.get("placed") and not is_over:
        return ()
    place = TERRAIN_TOLD.read_place(inputs.get("hex")) or None
    started = {"turn": inputs["turn"], "phase": inputs["phase"]}
    work = {"work": inputs["work"], "side": inputs["side"], "hex": place, "started": started}
    row = {"what": f"{inputs['work']} done", "side": inputs["side"], "about": place or ""}
    begun = [old for old in situation.record["works"] if all(old[name] == work[name] for name in OF_WORK)]
    other_works = [row for row in situation.record["works"] if row not in begun]
    due = [
        entry
        for entry in situation.record["due"]
        if not any(
            (entry["what"], entry["side"], entry["about"]) == (row["what"], row["side"], row["about"])
            and {"turn": entry["turn"], "phase": entry["phase"]} == old["placed"]
            for old in begun
        )
    ]
    in_hex = f" in {place}" if place else ""
    if is_over:
        message = f"Engineering: {inputs['work']}{in_hex}, over (17.0)."
        return (RecordChange({"works": other_works, "due": due}, (message,)),)
    work |= {"placed": details["placed"], "may_move": details["may_move"]}
    work |= {"hindered": inputs["hindered"], "builders": inputs["engineers"]}
    row |= details["placed"]
    message = f"Engineering: {inputs['work']}{in_hex}, done in phase {row['phase']} of turn {row['turn']}."
    return (RecordChange({"works": [*other_works, work], "due": [*due, row]}, (message,)),)
