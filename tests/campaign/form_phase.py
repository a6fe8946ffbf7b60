"""A Reorganization Phase at random, played by the forms of the pages: two browsers, a database, and the same checks.

It begins as tests.campaign.random_phase begins one in memory, is decided by the same random players, and its log leads,
replayed in memory, to the same rows.
"""

import random
from contextlib import contextmanager
from types import SimpleNamespace
from unittest import mock

from campaign.ledger.ledger import load
from campaign.models import Campaign, CpLine, Group, Unit
from campaign.phase import battles, lookups
from campaign.rules.phase import write_phase
from campaign.rules.sectors import Holding
from campaign.rules.steps import FINAL_STEPS
from firefight.engine.errors import BadDie
from firefight.models import Match
from firefight.table.act.refusals import Incomplete, Refused
from tests.campaign.form_hands import Hands, Refusal
from tests.campaign.memory import Memory
from tests.campaign.random_phase import Run, random_memory
from tests.campaign.random_player import Wish
from tests.filling import NotOffered

OF_CAMPAIGN = ("stage", "firefight", "attacker", "held", "phase")
OF_UNIT = ("side", "number", "counter", "sector", "hex", "hidden", "marks")
OF_GROUP = ("side", "number", "rg", "bought_for", "box")
OF_LINE = ("side", "number", "amount", "firefight", "reason")


class FormMemory:
    """A campaign in a database, whose acts are done by its pages; it is read like one of tests.campaign.memory."""

    def __init__(self, memory):
        campaign = memory.ledger.campaign
        self.hands, self.bouts, self.held = Hands(campaign.card, hot_seat=False), [], None
        Match.objects.filter(pk=self.hands.match_id).update(seed=memory.match.seed)
        stored = Campaign.objects.get(pk=self.hands.match_id)
        for name in OF_CAMPAIGN:
            setattr(stored, name, getattr(campaign, name))
        stored.save()
        for kind in (Unit, CpLine, Group):
            kind.objects.filter(campaign=stored).delete()
        groups = self._store(stored, Group, memory.ledger.groups, OF_GROUP)
        self._store(stored, CpLine, memory.ledger.lines, OF_LINE)
        for (side, number), unit in self._store(stored, Unit, memory.ledger.units, OF_UNIT).items():
            if group := memory.ledger.units[side][number].group:
                unit.group = groups[side, group.number]
                unit.save()

    def _store(self, campaign, kind, rows, names):
        return {
            (side, row.number): kind.objects.create(campaign=campaign, **{name: getattr(row, name) for name in names})
            for side, of_side in rows.items()
            for row in of_side.values()
        }

    @property
    def match(self):
        """The match as it is stored now."""
        return self.ledger.match

    @property
    def ledger(self):
        """The ledger as it is stored now; read again once something has changed."""
        match = self.hands.match
        if self.held is None or self.held.match.version != match.version:
            self.held = load(match)
        return self.held

    @property
    def phase(self):
        """Where the phase stands, as plain values."""
        phase = self.ledger.campaign.phase
        return write_phase(phase) if phase else {}

    def plain(self):
        """The values that acts may change, row by row."""
        return Memory.plain(self)

    def _note_bout(self, ledger, battle, fought, note=battles.note_bout):
        self.bouts.append(fought.bout)
        return note(ledger, battle, fought)

    @contextmanager
    def open(self):
        """Bouts that are fought inside this are noted."""
        with mock.patch.object(battles, "note_bout", self._note_bout):
            yield self

    def do(self, kind, side, fields):
        """Do one act by its page; returns its lines. Raises Refused, Incomplete, as the act itself would."""
        fields = dict(fields)
        bout, dice = fields.pop("bout", None), fields.pop("dice", None)
        wish, self.bouts = Wish(kind, side.value, fields, dice), []
        try:
            reader = self.hands.open(wish)
            if bout:
                _gather(reader, bout)
            form, button = self.hands.fill_in(wish, reader)
            if bout and bout.from_cover and "from_cover" in form.names():
                sides = [side.value for side in bout.from_cover if side.value in form.choices("from_cover")]
                form.fill(from_cover=sides)
            return self.hands.send(wish, reader, form, button)[1].entries
        except NotOffered as error:
            if dice and 101 in dice.faces.values():
                raise BadDie(str(error)) from None  # nobody can even type it
            raise Refused(str(error)) from None
        except Refusal as error:
            needs = tuple(node.attributes["name"] for node in reader.find("input.die[aria-invalid]"))
            if "is not on it" in str(error):
                raise BadDie(str(error)) from None
            if needs and dice:
                raise Incomplete(SimpleNamespace(needs=needs, headline=str(error))) from None
            raise Refused(str(error)) from None


def _gather(reader, bout):
    """Lay a bout out, unless the other side has done so already."""
    forms = [form for form in _fight_forms(reader) if "attacker" in form.names()]
    if not forms:
        return
    keys = [[f"{side.value}-{number}" for side, number in part] for part in (bout.attackers, bout.defenders)]
    forms[0].fill(attacker=keys[0], defender=keys[1]).press("dice=look")


def _fight_forms(reader):
    count = len([form for form in reader.find("form") if form.css('input[name="do"][value="fight"]')])
    return [reader.form(does="fight", number=number) for number in range(count)]


class FormRun(Run):
    """One phase by the forms of its pages. It is replayed in memory."""

    def __init__(self, seed):
        super().__init__(seed, lambda rng: FormMemory(random_memory(rng)))
        self.begin = random_memory
        self.start = random_memory(random.Random(seed)).plain()

    @property
    def ledger(self):
        """The ledger as it is stored now."""
        return self.memory.ledger

    @ledger.setter
    def ledger(self, ledger):
        """It is read again, whatever it was."""

    def _do(self, kind, side, fields):
        """Each browser acts for its own side; only who may meet enemies is asked where it arrives (20.6.4)."""
        fields = {name: value for name, value in fields.items() if name != "plays_all"}
        if kind == "redeploy":
            fields = {**fields, "hexes": self._find_asked(side, fields["hexes"])}
        return super()._do(kind, side, fields)

    def _find_asked(self, side, hexes):
        if lookups.step(self.ledger) in FINAL_STEPS:
            return {}
        goals_of = {unit.number: goals.values() for unit, goals in lookups.list_candidates(self.ledger, side)}
        return {number: place for number, place in hexes.items() if set(goals_of.get(number, ())) - {Holding(side)}}
