"""What a roll is made with, and what it asks for next: worked out again from the rules' text, roll by roll.

Like the umpire (umpire.py) it looks at a roll as a match's log tells it, and at the counters as the keeper of the table
has them just then: whether a unit is read in the state and with the Troop Quality that it has, whether the table was
read right, and which checks, dice and Casualties must follow for whom (18.1.2, 18.1.3, 18.2, 19.2.1, 19.3).
"""

from collections import Counter
from dataclasses import replace

from .tablekeeper import ORDER, Family, Wrong, casualties, hit_by
from .umpire import counter_of

CREWED = {"gun": "crew"}
# Rolls that are due for units. Those of missions and flights may be made from their cards as well.
OF_UNITS = ("fire", "who-is-hit", "casualties", "morale")


class Adjutant:
    """Judges the rolls of one log, in its order. ``asked``: what standing rolls have asked for, by step."""

    def __init__(self):
        self.asked, self._rolled, self._dropped, self._due = {}, set(), [], {}
        self._corrections, self._lost, self._stood = Family(), {}, {}

    def hear(self, entry, page):
        """A line may say that rolls are no longer due, that units are lost, or what a side declares."""
        if "melees" in entry.get("inputs", {}).get("changes", {}):
            self._stood[entry["number"]] = {
                counter_id: replace(piece, state={*piece.state}) for counter_id, piece in page.items()
            }
        if entry["kind"] == "drop":
            self._dropped.append((entry["number"], entry["sentence"]))
        for counter_id, fields in (
            entry.get("inputs", {}).get("counters", {}).items() if entry["kind"] == "counter" else ()
        ):
            if fields.get("fate", ("", ""))[1]:
                self._lost[counter_id] = entry["number"]

    def check_due(self, queue, page):
        """Raise Wrong unless exactly what standing rolls have asked for is due, less what is rolled, dropped or lost.

        ``queue``: the ids of what is due, as the table has it. A line that drops a roll knows it by its title alone.
        """
        due = {step for step in queue if self._is_asked_by_roll(step)}
        open_yet = {step_id: step for step_id, step in self._due.items() if step_id not in self._rolled}
        if odd := due - set(open_yet):
            raise Wrong(f"{odd} are due, and no roll that stands asks for them, or they are rolled.")
        if lost := [
            step_id for step_id in due if _ids_of(open_yet[step_id]["inputs"]) and _is_lost(open_yet[step_id], page)
        ]:
            raise Wrong(f"{lost} are due for units that are out of play.")
        for step_id, step in open_yet.items():
            number = int(step_id.partition("-")[0])
            is_dropped = any(later > number and step["title"] in sentence for later, sentence in self._dropped)
            if step_id not in due and not is_dropped and not _is_lost(step, page) and step["helper"] in OF_UNITS:
                raise Wrong(
                    f"№ {number} asks for {step['title']}, {step_id}, which is no longer due, and nobody says why."
                )

    def _is_asked_by_roll(self, step):
        number, _, place = step.partition("-")
        return place.isdigit() and int(number) in self._numbers

    @property
    def _numbers(self):
        return {int(step_id.partition("-")[0]) for step_id in self.asked}

    def judge(self, entry, page, charts):
        """Raise Wrong where a roll is made with wrong inputs, or asks for what is not due."""
        self._charts = charts
        if not self._corrections.takes(entry):
            for unit in _units_of(entry):
                _check_unit(entry, unit, self._page_of(entry, page))
            self._check_answer(entry, page)
        steps = {f"{entry['number']}-{at}": step for at, step in enumerate(entry["result"]["follow_ups"])}
        self.asked |= steps
        if not entry["voided_by"]:
            self._due |= steps
            self._rolled.add(entry["inputs"].get("asked", {}).get("step"))
        expected = {
            "fire": self._after_fire,
            "who-is-hit": self._after_dice,
            "casualties": self._after_casualties,
            "morale": lambda _: Counter(),
            "close-combat": self._after_close_combat,
        }
        if entry["helper"] not in expected:
            return
        due = expected[entry["helper"]](entry)
        if due is not None and (asked_for := _asked_by(entry)) != due:
            raise Wrong(f"№ {entry['number']} asks for {asked_for}, and {due} is due.")

    def _check_answer(self, entry, page):
        """A due roll is made on those it was due for, less those who are gone since, and with what was called for."""
        step = self.asked.get(entry["inputs"].get("asked", {}).get("step"))
        if step is None or step["helper"] not in OF_UNITS:
            return
        called_for, inputs = step["inputs"], entry["inputs"]
        since = int(inputs["asked"]["step"].partition("-")[0])
        due_of, rolled_on = {unit_id for unit_id in _ids_of(called_for) if not page[unit_id].fate}, _ids_of(inputs)
        # Those who were lost in between and are back by hand need not be among them.
        if rolled_on - due_of or any(self._lost.get(unit_id, 0) < since for unit_id in due_of - rolled_on):
            raise Wrong(f"№ {entry['number']} is made on {rolled_on}, and was due for {due_of}.")
        for name in ("ff", "modifier", "then_check", "check", "result"):
            if name in called_for and inputs.get(name) != called_for[name]:
                raise Wrong(f"№ {entry['number']}: {name} is {inputs.get(name)}, and {called_for[name]} was called.")

    def _page_of(self, entry, page):
        """How counters stood for a roll: for one that was declared, when both sides had declared (19.2.1, R-96)."""
        asking = str(entry["inputs"].get("asked", {}).get("step") or "").partition("-")[0]
        is_declared = entry["helper"] == "close-combat" and asking.isdigit()
        return self._stood.get(int(asking), page) if is_declared else page

    def _after_fire(self, entry):
        """18.1.2: who checks with what, who is hit, or whose dice decide; units with the same result are one stack."""
        inputs, details = entry["inputs"], entry["result"]["details"]
        if details["column"] is None:
            return Counter()
        units = _attacked(inputs)
        due = Counter()
        readings = _stacks(entry, units)
        for face, stack in readings:
            outcome = _look_up(self._charts["fft"], details["column"], face)
            if len(readings) == 1 and outcome != entry["result"]["outcome"]:
                raise Wrong(f"№ {entry['number']}: {face} on {details['column']} is {outcome} (18.1).")
            due += self._due_of(outcome, stack, details["column"], face)
        return due

    def _due_of(self, outcome, stack, column, face):
        if outcome == "none":
            return Counter()
        if outcome.startswith("m"):
            return Counter(_check(unit, int(outcome[2:] or 0)) for unit in stack)
        check = {"c": None, "c/m": 0}.get(outcome, _highest_check(self._charts["fft"], column))
        if len(stack) > (2 if outcome == "2e" else 1):
            ids = tuple(sorted(unit.get("id") or "" for unit in stack))
            return Counter([("who-is-hit", ids, outcome, check)])
        if outcome in ("e", "2e"):
            return Counter()
        return Counter(_casualties(unit, check) for unit in stack)

    def _after_dice(self, entry):
        """18.1.3: Casualties for those hit by a C, and the check of those left."""
        inputs = entry["inputs"]
        units, faces = inputs["units"], [die["face"] for die in entry["rolls"]]
        hit = hit_by(units, faces, inputs["result"])
        check = inputs.get("check")
        due = Counter() if check is None else Counter(_check(unit, check) for unit in units if unit not in hit)
        if inputs["result"] in ("c", "c/m"):
            is_melee = inputs.get("source") == "close_combat"
            due += Counter(_casualties(unit, check) for unit in hit if not (is_melee and unit["kind"] == "vehicle"))
        return due

    def _after_casualties(self, entry):
        """18.1.2: after a C/M whoever is left checks."""
        inputs = entry["inputs"]
        word = casualties(inputs["unit"], inputs.get("state", "good_order"), inputs.get("source", "fft"))
        if inputs.get("then_check") is None or word == "eliminated":
            return Counter()
        return Counter([("morale", inputs.get("id"), inputs["then_check"])])

    def _after_close_combat(self, entry):
        """19.3.3, 18.1.3: a C or an E among several asks who is hit; a C on one unit of infantry is Casualties."""
        inputs, outcome = entry["inputs"], entry["result"]["outcome"]
        defense = inputs.get("defense", [])
        if outcome not in ("c", "e") or not defense:
            return Counter()
        if len(defense) > 1:
            ids = tuple(sorted(unit.get("id") or "" for unit in defense))
            return Counter([("who-is-hit", ids, outcome, None)])
        is_afv = defense[0]["kind"] == "vehicle" or inputs.get("target") == "afv"
        return Counter() if outcome == "e" or is_afv else Counter([_casualties(defense[0], None)])


def _is_lost(step, page):
    """Whether none of those a roll was due for is in play any more, or it was due for nobody."""
    return all(page[unit_id].fate for unit_id in _ids_of(step["inputs"]))


def _ids_of(inputs):
    ids = {inputs.get("id"), *(unit.get("id") for unit in inputs.get("units", ()))}
    return ids - {None, ""}


def _check(unit, modifier):
    return "morale", unit.get("id"), modifier


def _casualties(unit, check):
    return "casualties", unit.get("id"), check


def _asked_by(entry):
    """What a roll asks for, as far as it is about units."""
    due = Counter()
    for step in entry["result"]["follow_ups"]:
        inputs = step["inputs"]
        if step["helper"] == "morale":
            due[_check(inputs, inputs["modifier"])] += 1
        elif step["helper"] == "casualties":
            due[_casualties(inputs, inputs.get("then_check"))] += 1
        else:
            ids = tuple(sorted(unit.get("id") or "" for unit in inputs.get("units", ())))
            due[step["helper"], ids, inputs.get("result"), inputs.get("check")] += 1
    return due


def _attacked(inputs):
    """18.1.1, A-56: small arms leave out vehicles."""
    is_small = inputs.get("weapon") == "firepower" and not inputs.get("artillery")
    return [unit for unit in inputs.get("units", ()) if not (is_small and unit["kind"] == "vehicle")]


def _stacks(entry, units):
    """The units by what the die comes to for them (A-50)."""
    result = entry["result"]
    readings = result["details"].get("readings")
    if not readings:
        return [(result["modified"], units)]
    stacks = {}
    for place, unit in enumerate(units, 1):
        names = {unit.get("name"), f"{unit['kind'].replace('_', '-')} {place}"}
        mine = next(reading for reading in readings if names & set(reading["units"]))
        own = result["dice"]["die"] + sum(modifier["value"] for modifier in mine["modifiers"])
        stacks.setdefault((mine["outcome"], own), []).append(unit)
    # Those with the same result share it as one stack, whatever their sums.
    joined = {}
    for (outcome, own), stack in stacks.items():
        face, before = joined.get(outcome, (own, []))
        joined[outcome] = face, before + stack
    return list(joined.values())


def _grid_of(chart):
    head, *rows = [line.split() for line in chart["grid"].strip().splitlines()]
    return {
        int(column): {row[0].lower(): int(row[place]) for row in rows} for place, column in enumerate(head) if place
    }


def _look_up(chart, column, face):
    """18.1: the first row whose number the total does not exceed."""
    return next((row for row, most in _grid_of(chart)[column].items() if face <= most), "none")


def _highest_check(chart, column):
    """18.1.2: the highest check that the column can come to."""
    checks, least = [], 0
    for row, most in _grid_of(chart)[column].items():
        if most > least and row.startswith("m"):
            checks.append(int(row[2:] or 0))
        least = max(least, most)
    return max(checks, default=None)


# With what a unit is read


def _units_of(entry):
    """The units that a roll reads, as plain rows with their id, state, kind and TQ, as far as it says them."""
    inputs = entry["inputs"]
    if inputs.get("id") and entry["helper"] in ("morale", "casualties"):
        yield {**inputs, "kind": inputs["unit"]}
    # Those under fire of a due attack check and fall by rolls of their own, which are read again.
    is_due = "step" in inputs.get("asked", {})
    for name in ("attack", "defense") if is_due else ("units", "attack", "defense"):
        yield from (unit for unit in inputs.get(name) or () if unit.get("id"))


def _check_unit(entry, unit, page):
    piece, number = page.get(unit["id"]), entry["number"]
    if piece is None or entry["helper"] == "who-is-hit":
        return
    if piece.fate:
        raise Wrong(f"№ {number}: {unit['id']} is out of play: {piece.fate}.")
    if "step" in entry["inputs"].get("asked", {}) and entry["helper"] in ("morale", "casualties"):
        # 18.1.2, 18.2.3: the next roll is made in the new state, though the board's keepers wait to write it down.
        piece = piece.if_written
        if piece.fate:  # no text has a lost unit make it
            return
    counter = counter_of(unit["id"], piece)
    kind = _present_kind(counter["kind"], piece.state) if counter else unit["kind"]
    if unit["kind"] != kind:
        raise Wrong(f"№ {number}: {unit['id']} is read as {unit['kind']} and is {kind} (18.1.2).")
    state = next((word for word in reversed(ORDER) if word in piece.state), "good_order")
    state = "good_order" if kind == "vehicle" else state
    if unit.get("state", "good_order") != state:
        raise Wrong(f"№ {number}: {unit['id']} is read as {unit.get('state')} and is {state} (18.2).")


def _present_kind(kind, state):
    if kind == "squad" and "reduced" in state:
        return "half_squad"
    if kind == "leader" and "wounded" in state:
        return "wounded_leader"
    return CREWED.get(kind, kind)
