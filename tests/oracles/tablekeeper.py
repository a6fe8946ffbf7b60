"""A second book of the counters on a table, kept from a match's exported log alone.

It reads what the lines say was rolled and what hands have set, and works out by itself what becomes of whom:
18.1.2 to 18.1.4, 18.2 and 19.3. A line about a counter that a roll has brought about tells it only that this
happened now: how the counter is afterwards is worked out from the roll's dice.
"""

from dataclasses import dataclass, field, replace

KINDS = {"squad", "half_squad", "leader", "wounded_leader", "sw_team", "crew", "vehicle"}
CALLED = {  # so a line calls what it says is not written down, where that is not the word itself
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
    waits: list = field(default_factory=list)  # what rolls have made of it that nobody has written down or left yet

    @property
    def if_written(self):
        """The same with what waits, in the order of the rolls."""
        piece = replace(self, state=set(self.state))
        for _, word in sorted(self.waits):
            piece.befall(word)
        return piece

    def read(self, name):
        found = getattr(self, name)
        return sorted(found) if name == "state" else found

    def set(self, name, value):
        setattr(self, name, set(value) if name == "state" else value)

    def leave(self, fate):
        """Out of play: it stands nowhere and with nobody any more."""
        self.fate, self.place, self.level, self.area, self.beside, self.hidden = fate, "", "", "", "", False

    def befall(self, word):
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
            # counters.json tells nothing of these.
            piece = self.page[plain["id"]] = Piece(area=None, beside=None, note=None)
            for name in ("counter", "name", *FIELDS, "hidden"):
                piece.set(name, plain[name])

    def keep(self, log, after=0, judges=()):
        """Read a log to its end, from the line that comes after a number. ``judges`` look at rolls as they come."""
        entries = {entry["number"]: entry for entry in log["entries"]}
        books, told = log["books"], set()
        for entry in entries.values():
            if entry["kind"] == "counter":
                told |= {(entry["about"], each) for each in entry.get("inputs", {}).get("counters", ())}
        due = {}
        asks_first = False
        for number, entry in sorted(entries.items()):
            if entry["sentence"].startswith(ASKED_FIRST) and not _is_taken_back(entry, entries):
                asks_first = entry["sentence"].endswith("asked first.")
            if number <= after or _is_taken_back(entry, entries):
                continue
            if entry["kind"] in ("roll", "drop"):
                self._strike(entries[each] for each in sorted(entry.get("voids", ()), reverse=True))
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
                    self._check_told(number, due[number], told)
            elif entry["kind"] in ("counter", "ledger"):
                self._hear(entry, due)
            elif entry["kind"] == "drop" and entry["sentence"].startswith(LEFT):
                self._leave(entry["sentence"].removeprefix(LEFT).removesuffix("."))
        return self

    def _let_wait(self, number, fates):
        for each, word in fates.items():
            if each in self.page and not self.page[each].fate:
                self.page[each].waits.append((number, word))

    def _leave(self, told):
        """What players leave waits no more; of a hidden counter the line says neither which it is nor what."""
        for piece in self.page.values():
            if told == "a change of a hidden counter" and piece.hidden:
                piece.waits.clear()
            for part in told.split("; "):
                named = [each for each in piece.waits if part == f"{piece.name} {CALLED.get(each[1], each[1])}"]
                if named:
                    piece.waits.remove(named[0])

    def _strike(self, lines):
        """A correction puts back what struck rolls have made of counters, and what is told again after them."""
        for line in lines:
            for piece in self.page.values():
                piece.waits = [each for each in piece.waits if each[0] != line["number"]]
            for each, fields in line.get("inputs", {}).get("counters", {}).items() if line["kind"] == "counter" else ():
                for name, (was, _) in fields.items():
                    self.page[each].set(name, was)

    def plain(self, *sides):
        """Who is how, by id: what is compared with counters.json."""
        found = {each: {name: piece.read(name) for name in FIELDS} for each, piece in self.page.items()}
        return {each: told for each, told in found.items() if not sides or each.rpartition("-")[0] in sides}

    def _check_told(self, number, fates, told):
        """Whatever a roll makes of a counter has a line, unless it is so already or gone."""
        for each, word in fates.items():
            piece = self.page.get(each)
            if piece is None or piece.fate or (number, each) in told or self.is_asked:
                continue
            before = (set(piece.state), piece.fate)
            after = Piece(state=set(piece.state), fate=piece.fate)
            after.befall(word)
            if (after.state, after.fate) != before:
                raise Wrong(f"No line says that {each} is {word} since № {number}.")

    def _hear(self, entry, due):
        fates = due.get(entry["about"], {})
        for each, fields in entry.get("inputs", {}).get("counters", {}).items():
            piece = self.page.setdefault(each, Piece())
            for name, (was, _) in fields.items():
                is_known = name not in ("counter", "name") and piece.read(name) is not None
                if is_known and piece.read(name) != (sorted(was) if name == "state" else was):
                    raise Wrong(f"№ {entry['number']}: {each} was {piece.read(name)} in {name}, and not {was}.")
            piece.waits = [each for each in piece.waits if each[0] != entry["about"]]
            is_rolled = entry["about"] in due and not entry.get("voids") and not {"state", "fate"}.isdisjoint(fields)
            if is_rolled:
                if each not in fates:
                    raise Wrong(f"№ {entry['number']}: nothing befell {each} in № {entry['about']}.")
                piece.befall(fates[each])
                continue
            for name, (_, now) in fields.items():
                piece.set(name, now)


def _is_taken_back(entry, entries):
    """Whether a line is as if it had never been."""
    return bool(entry["voided_by"]) and entries[entry["voided_by"]]["kind"] == "take_back"


class Family:
    """The rolls of corrections, and what follows from these: they stand where what they correct stood, so that what
    counters are by now says nothing of them. ``numbers``: theirs."""

    def __init__(self):
        self.numbers = set()

    def takes(self, entry):
        """Whether a roll is one of them; it is noted."""
        parent = str(entry["inputs"].get("asked", {}).get("step") or "").partition("-")[0]
        stands_again = any("of" in die for die in entry.get("rolls", ()))
        is_one = bool(entry.get("voids")) or stands_again or (parent.isdigit() and int(parent) in self.numbers)
        self.numbers |= {entry["number"]} if is_one else set()
        return is_one


def _waits(entry):
    """Whether what a roll does waits until both sides have rolled (19.2.1 step 3)."""
    return entry["helper"] == "close-combat" or entry["inputs"].get("source") == "close_combat"


def _charts_of(books, entry, log):
    """The charts of the book that a roll was made with, as its owner typed them."""
    book = entry["inputs"].get("book") or log["chart_book"]
    return (books.get(book) or next(iter(books.values())))["charts"]


def fates_of(entry, morale):
    """What a roll makes of counters, by id: nothing for what the log holds no ids of."""
    rules = {
        "fire": _fire,
        "who-is-hit": _who_is_hit,
        "casualties": _casualties,
        "close-combat": _close_combat,
        "morale": lambda entry: _morale(entry, morale),
    }
    found = rules.get(entry["helper"], lambda _: {})(entry)
    return {each: word for each, word in found.items() if each and word}


def _faces(entry):
    return {die["die"]: die["face"] for die in entry["rolls"]}


def _fire(entry):
    """18.1.2: E takes the only one who stands there, 2E two; of more the dice say who (18.1.3). C comes by itself."""
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
            outcome = next(each["outcome"] for each in readings if names & set(each["units"]))
        stacks.setdefault(outcome, []).append(unit)
    found = {}
    for outcome, most in (("e", 1), ("2e", 2)):
        stack = stacks.get(outcome, [])
        if len(stack) <= most:
            found |= {unit.get("id"): "eliminated" for unit in stack}
    return found


def hit_by(units, faces, result):
    """18.1.3: the highest die is hit, with all that tie; 2E takes the next, too, when the highest is one alone."""
    if not faces:
        return units
    ranks = sorted(set(faces), reverse=True)
    wanted = ranks[:1]
    if result == "2e" and faces.count(ranks[0]) == 1:
        wanted = ranks[:2]
    return [unit for unit, face in zip(units, faces, strict=True) if face in wanted]


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
    """18.1.2, 18.2.2, 18.2.5, 19.3.3: what a C makes of a unit. Blank where the text gives it nothing."""
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
    """19.3.3, 19.3.7: all of one side where no die was needed, else the one defender; of several the dice say who."""
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
