"""A second book of the counters on a table, kept from a match's exported log alone.

It reads what the lines say was rolled and what players have set, and works out by itself what happens to whom:
18.1.2 to 18.1.4, 18.2 and 19.3. A line about a counter that a roll has brought about tells it only when this
happened: the counter's new state is worked out from the roll's dice.
"""

from dataclasses import dataclass, field, replace

KINDS = {"squad", "half_squad", "leader", "wounded_leader", "sw_team", "crew", "vehicle"}
CALLED = {  # what a line calls a change that is not written down, where that is not the word itself
    "pinned": "Pinned Down",
    "disrupted": "Disrupted",
    "wia": "WIA",
    "suppressed": "Suppressed",
    "reduced_wia": "reduced, still WIA",
    "m_killed": "M-KILLED",
}
ASKED_FIRST = "From now on, what rolls make of counters: "
LEFT = "Not written down: "
ORDER = ("pinned", "disrupted", "wia")  # one of them at most (18.2)
FIELDS = ("place", "level", "state", "fate")


class Wrong(AssertionError):
    """The log contradicts itself, or the rulebook."""


@dataclass
class Piece:
    """One counter on the keeper's table."""

    counter: str = ""
    name: str = ""
    place: str = ""
    level: str = ""
    area: str = ""
    state: set = field(default_factory=set)
    fate: str = "returned"
    hidden: bool = False
    beside: str = ""
    note: str = ""
    waits: list = field(default_factory=list)  # what rolls have made of it, neither written down nor left out yet

    @property
    def if_written(self):
        """The same with what waits, in the order of the rolls."""
        piece = replace(self, state=set(self.state))
        for _, word in sorted(self.waits):
            piece.suffer(word)
        return piece

    def read(self, name):
        value = getattr(self, name)
        return sorted(value) if name == "state" else value

    def set(self, name, value):
        setattr(self, name, set(value) if name == "state" else value)

    def leave(self, fate):
        """Out of play: it is no longer anywhere, nor with anybody."""
        self.fate, self.place, self.level, self.area, self.beside, self.hidden = fate, "", "", "", "", False

    def suffer(self, word):
        """What a roll did to it."""
        if word == "eliminated":
            self.leave("eliminated")
        elif word in ("reduced", "wounded", "reduced_wia"):
            # 18.1.4: whoever flips sheds its markers; a WIA squad whose check brings Casualties stays WIA (18.2.5).
            self.state -= set(ORDER)
            self.state |= {"reduced", "wia"} if word == "reduced_wia" else {word}
        elif word in ORDER:
            self.state = self.state - set(ORDER) | {word}
        else:
            self.state.add(word)


class TableKeeper:
    """The keeper's table. ``start``: what stood there before the log's first line, as counters.json tells it.

    ``is_asked``: the players are asked before a roll's changes are written down, so that some may never be.
    """

    def __init__(self, start=(), is_asked=False):
        self.page, self.is_asked = {}, is_asked
        for plain in start:
            # counters.json says nothing about these.
            piece = self.page[plain["id"]] = Piece(area=None, beside=None, note=None)
            for name in ("counter", "name", *FIELDS, "hidden"):
                piece.set(name, plain[name])

    def keep(self, log, after=0, judges=()):
        """Read a log to its end, from the line that comes after a number. ``judges`` look at rolls as they come."""
        entries = {entry["number"]: entry for entry in log["entries"]}
        books, changes_told = log["books"], set()
        for entry in entries.values():
            if entry["kind"] == "counter":
                changes_told |= {
                    (entry["about"], counter_id) for counter_id in entry.get("inputs", {}).get("counters", ())
                }
        due = {}
        asks_first = False
        for number, entry in sorted(entries.items()):
            if entry["sentence"].startswith(ASKED_FIRST) and not _is_taken_back(entry, entries):
                asks_first = entry["sentence"].endswith("asked first.")
            if number <= after or _is_taken_back(entry, entries):
                continue
            if entry["kind"] in ("roll", "drop"):
                self._strike(entries[struck] for struck in sorted(entry.get("voids", ()), reverse=True))
            for judge in judges:
                judge.hear(entry, self.page)
            if entry["kind"] == "roll" and "inputs" in entry:
                charts = _charts_of(books, entry, log)
                for judge in judges:
                    judge.judge(entry, self.page, charts)
                due[number] = fates_of(entry, charts["morale"])
                if asks_first or _waits(entry):
                    self._let_wait(number, due[number])
                if not entry["voided_by"] and not _waits(entry):
                    self._check_told(number, due[number], changes_told)
            elif entry["kind"] in ("counter", "ledger"):
                self._hear(entry, due)
            elif entry["kind"] == "drop" and entry["sentence"].startswith(LEFT):
                self._leave(entry["sentence"].removeprefix(LEFT).removesuffix("."))
        return self

    def _let_wait(self, number, fates):
        for counter_id, word in fates.items():
            if counter_id in self.page and not self.page[counter_id].fate:
                self.page[counter_id].waits.append((number, word))

    def _leave(self, sentence):
        """What players leave out no longer waits; for a hidden counter the line says neither which nor what."""
        for piece in self.page.values():
            if sentence == "a change of a hidden counter" and piece.hidden:
                piece.waits.clear()
            for part in sentence.split("; "):
                waits_named = [wait for wait in piece.waits if part == f"{piece.name} {CALLED.get(wait[1], wait[1])}"]
                if waits_named:
                    piece.waits.remove(waits_named[0])

    def _strike(self, lines):
        """A correction puts back what struck rolls have made of counters, and what is told again after them."""
        for line in lines:
            for piece in self.page.values():
                piece.waits = [wait for wait in piece.waits if wait[0] != line["number"]]
            for counter_id, fields in (
                line.get("inputs", {}).get("counters", {}).items() if line["kind"] == "counter" else ()
            ):
                for name, (old, _) in fields.items():
                    self.page[counter_id].set(name, old)

    def plain(self, *sides):
        """The state of each counter, by id: what is compared with counters.json."""
        values_by_id = {
            counter_id: {name: piece.read(name) for name in FIELDS} for counter_id, piece in self.page.items()
        }
        return {
            counter_id: values
            for counter_id, values in values_by_id.items()
            if not sides or counter_id.rpartition("-")[0] in sides
        }

    def _check_told(self, number, fates, changes_told):
        """Whatever a roll makes of a counter has a line, unless the counter is like that already, or gone."""
        for counter_id, word in fates.items():
            piece = self.page.get(counter_id)
            if piece is None or piece.fate or (number, counter_id) in changes_told or self.is_asked:
                continue
            before = (set(piece.state), piece.fate)
            after = Piece(state=set(piece.state), fate=piece.fate)
            after.suffer(word)
            if (after.state, after.fate) != before:
                raise Wrong(f"No line says that {counter_id} is {word} since № {number}.")

    def _hear(self, entry, due):
        fates = due.get(entry["about"], {})
        for counter_id, fields in entry.get("inputs", {}).get("counters", {}).items():
            piece = self.page.setdefault(counter_id, Piece())
            for name, (old, _) in fields.items():
                is_known = name not in ("counter", "name") and piece.read(name) is not None
                if is_known and piece.read(name) != (sorted(old) if name == "state" else old):
                    raise Wrong(f"№ {entry['number']}: {counter_id} was {piece.read(name)} in {name}, and not {old}.")
            piece.waits = [wait for wait in piece.waits if wait[0] != entry["about"]]
            is_rolled = entry["about"] in due and not entry.get("voids") and not {"state", "fate"}.isdisjoint(fields)
            if is_rolled:
                if counter_id not in fates:
                    raise Wrong(f"№ {entry['number']}: nothing happened to {counter_id} in № {entry['about']}.")
                piece.suffer(fates[counter_id])
                continue
            for name, (_, new) in fields.items():
                piece.set(name, new)


def _is_taken_back(entry, entries):
    """Whether a line is as if it had never been."""
    return bool(entry["voided_by"]) and entries[entry["voided_by"]]["kind"] == "take_back"


class Family:
    """The rolls of corrections, and what follows from them: they stand where what they correct stood, so that the
    present state of counters says nothing about them. ``numbers``: theirs; ``times``: those of their acts."""

    def __init__(self):
        self.numbers, self.times = set(), set()

    def takes(self, entry):
        """Whether a roll is one of them; it is noted."""
        parent = str(entry["inputs"].get("asked", {}).get("step") or "").partition("-")[0]
        stands_again = any("of" in die for die in entry.get("rolls", ()))
        is_one = bool(entry.get("voids")) or stands_again or (parent.isdigit() and int(parent) in self.numbers)
        time = entry.get("at")  # a line of a test has none
        if is_one or time in self.times:
            self.numbers.add(entry["number"])
            self.times |= {time} if time else set()
            return True
        return False


def _waits(entry):
    """Whether what a roll does waits until both sides have rolled (19.2.1 step 3)."""
    return entry["helper"] == "close-combat" or entry["inputs"].get("source") == "close_combat"


def _charts_of(books, entry, log):
    """The charts of the book that a roll was made with, as its owner typed them."""
    book = entry["inputs"].get("book") or log["chart_book"]
    return (books.get(book) or next(iter(books.values())))["charts"]


def fates_of(entry, morale):
    """What a roll makes of counters, by id; nothing for those without an id in the log."""
    rules = {
        "fire": _fire,
        "who-is-hit": _who_is_hit,
        "casualties": _casualties,
        "close-combat": _close_combat,
        "morale": lambda entry: _morale(entry, morale),
    }
    fates = rules.get(entry["helper"], lambda _: {})(entry)
    return {counter_id: word for counter_id, word in fates.items() if counter_id and word}


def _faces(entry):
    return {die["die"]: die["face"] for die in entry["rolls"]}


def _fire(entry):
    """18.1.2: E takes the only unit there, 2E two; of more the dice say which (18.1.3). C has a roll of its own."""
    inputs, result = entry["inputs"], entry["result"]
    units = inputs.get("units", [])
    if inputs.get("weapon") == "firepower" and not inputs.get("artillery"):  # 18.1.1: small arms
        units = [unit for unit in units if unit["kind"] != "vehicle"]
    readings = result["details"].get("readings")
    stacks = {}
    for place, unit in enumerate(units, 1):
        outcome = result["outcome"]
        if readings:
            names = {unit.get("name"), f"{unit['kind'].replace('_', '-')} {place}"}
            outcome = next(reading["outcome"] for reading in readings if names & set(reading["units"]))
        stacks.setdefault(outcome, []).append(unit)
    fates = {}
    for outcome, most in (("e", 1), ("2e", 2)):
        stack = stacks.get(outcome, [])
        if len(stack) <= most:
            fates |= {unit.get("id"): "eliminated" for unit in stack}
    return fates


def hit_by(units, faces, result):
    """18.1.3: the highest die is hit, with all that tie; 2E also takes the next, if the highest is alone."""
    if not faces:
        return units
    ranks = sorted(set(faces), reverse=True)
    ranks_hit = ranks[:1]
    if result == "2e" and faces.count(ranks[0]) == 1:
        ranks_hit = ranks[:2]
    return [unit for unit, face in zip(units, faces, strict=True) if face in ranks_hit]


def _who_is_hit(entry):
    inputs, faces = entry["inputs"], _faces(entry)
    units = inputs["units"]
    rolled = [faces[f"die_{place}"] for place in range(1, len(units) + 1)] if faces else []
    hit = hit_by(units, rolled, inputs["result"])
    if inputs["result"] in ("e", "2e"):
        return {unit.get("id"): "eliminated" for unit in hit}
    if inputs.get("source") == "close_combat":  # 19.3.3: a C is an M-KILL of an AFV
        return {unit.get("id"): "m_killed" for unit in hit if unit["kind"] == "vehicle"}
    return {}


def casualties(kind, state, cause):
    """18.1.2, 18.2.2, 18.2.5, 19.3.3: what a C makes of a unit. Blank where the text gives nothing."""
    if kind == "vehicle":
        return "m_killed" if cause == "close_combat" else ""
    if kind == "squad":
        return "reduced_wia" if cause == "morale" and state == "wia" else "reduced"
    if kind == "leader" and not (cause == "morale" and state == "wia"):
        return "wounded"
    return "eliminated"


def _casualties(entry):
    inputs = entry["inputs"]
    word = casualties(inputs["unit"], inputs.get("state", "good_order"), inputs.get("source", "fft"))
    return {inputs.get("id"): word}


def _morale(entry, chart):
    """18.2: up to TQ nothing happens; the matrix says what does, by how far the sum is over it."""
    inputs = entry["inputs"]
    face = entry["rolls"][0]["face"]
    over = (face or 10) + (inputs.get("modifier") or 0) + (inputs.get("other_drm") or 0) - inputs["tq"]
    kind, state = inputs.get("unit", "squad"), inputs.get("state", "good_order")
    if over <= 0:
        return {}
    if kind == "vehicle":
        return {inputs.get("id"): "suppressed"}
    head, *rows = [line.split() for line in chart["grid"].strip().splitlines()]
    cells = {row[0]: dict(zip(head[1:], row[1:], strict=True)) for row in rows}
    cell = cells["3+" if over >= 3 else "1-2"][state]
    if cell == "casualties":
        return {inputs.get("id"): casualties(kind, state, "morale")}
    if cell == "wia" and kind == "wounded_leader":  # 18.2.2: there is nothing left of him to be hurt
        cell = "eliminated"
    return {inputs.get("id"): "" if cell == state else cell}


def _close_combat(entry):
    """19.3.3, 19.3.7: all of one side where no die was needed, else the only defender; of several the dice decide."""
    inputs, outcome = entry["inputs"], entry["result"]["outcome"]
    attack, defense = inputs.get("attack", []), inputs.get("defense", [])
    if outcome == "attackers_eliminated":
        lender = entry["result"]["details"].get("lender")
        return {unit.get("id"): "eliminated" for unit in attack if not lender or unit.get("name") != lender}
    if outcome == "defenders_eliminated":
        return {unit.get("id"): "eliminated" for unit in defense}
    if len(defense) != 1 or outcome not in ("c", "e"):
        return {}
    (unit,) = defense
    if outcome == "e":
        return {unit.get("id"): "eliminated"}
    is_afv = unit["kind"] == "vehicle" or inputs.get("target") == "afv"
    return {unit.get("id"): "m_killed"} if is_afv else {}  # Casualties are a line of their own
