"""A campaign that is kept in memory alone: its acts are done on the true ledger, with the true conductor, at speed.

Only the database is left out. Whatever an act raises, the rows are put back, as a transaction would.
"""

from contextlib import ExitStack, contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from types import SimpleNamespace
from unittest import mock

from campaign.ledger import content, performing
from campaign.ledger.act import CampaignAct
from campaign.ledger.ledger import Ledger
from campaign.models import Campaign, CpLine, Group, Seal, Unit
from campaign.phase import battles
from campaign.rules.phase import ReorganizationPhase, write_phase
from campaign.rules.sectors import Holding, initial_control, write_control
from campaign.rules.stages import Stage
from campaign.rules.steps import Step
from firefight.games import chartbooks
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Match
from firefight.table.act.act import Done

GAME = "combat-stalingrad"
# What acts of the Reorganization Phase may change.
KEPT = {
    Campaign: ("stage", "stage_since", "firefight", "attacker", "held", "ready", "phase", "outcome", "random_hex"),
    Unit: ("sector", "hex", "home", "hidden", "marks", "fate"),
    Group: ("standing",),
    CpLine: ("amount", "sealed"),
    Seal: ("standing",),
}


@dataclass
class Line:
    """A line of the log."""

    side: str
    sentence: str
    secret: str
    rolls: tuple


@dataclass
class MemoryAct(CampaignAct):
    """An act whose log is a list."""

    def tell(self, sentence, *, secret="", about=None, **more):
        rolls = tuple(more.get("rolled", ()))
        self.entries.append(Line(str(more.get("side", self.side)), sentence, secret, rolls))
        self.match.last_number += 1
        return self.entries[-1]


@dataclass
class Memory:
    """A match with its ledger. ``bouts``: those fought in the last act; ``act``: what the last one left of itself."""

    ledger: Ledger
    bouts: list = field(default_factory=list)
    act: SimpleNamespace | None = None

    @classmethod
    def begin(cls, card="cg2", attacker=Side.GERMAN, firefight=1, seed=0):
        """A firefight has just ended; nobody is on the map, and sectors are as the card deals them out."""
        shipped = content.shipped()
        match = Match(id="memory", game=GAME, book_id="house", seed=f"{seed:064x}")
        areas = {side: forces.deployment for side, forces in shipped.cards[card].forces.items()}
        campaign = Campaign(
            match=match,
            content_id="house",
            card=card,
            firefight=firefight,
            stage=Stage.REORGANIZATION.value,
            attacker=Side(attacker).value,
            held=write_control(initial_control(shipped.sector_map.neighbours, areas)),
            phase=ReorganizationPhase(Step.AFTER_ACTION),
        )
        memory = cls(Ledger(match, campaign, shipped))
        for side in Side:
            memory.add_line(side, 9)
        return memory

    @property
    def match(self):
        return self.ledger.match

    @property
    def phase(self):
        """Where the phase stands, as its row holds it in JSON."""
        phase = self.ledger.campaign.phase
        return write_phase(phase) if phase else {}

    # What it begins with

    def hold(self, control):
        """Let sectors be held like this, the others as before."""
        holdings = {**self.ledger.control, **{sector: Holding(holding) for sector, holding in control.items()}}
        self.ledger.campaign.held = write_control(holdings)

    def add(self, side, counter, sector, place="", marks=(), hidden=False, group=None):
        """One more unit."""
        units = self.ledger.units[Side(side)]
        unit = Unit(campaign=self.ledger.campaign, side=Side(side).value, number=len(units) + 1, counter=counter)
        unit.sector, unit.hex, unit.hidden, unit.group = sector, place, hidden, group
        unit.marks = [str(mark) for mark in marks]
        units[unit.number] = unit
        return unit

    def add_group(self, side, rg):
        """One more group, without units."""
        groups = self.ledger.groups[Side(side)]
        values = {"campaign": self.ledger.campaign, "side": Side(side).value, "number": len(groups) + 1}
        groups[len(groups) + 1] = Group(rg=rg, bought_for=1, box=1, **values)
        return groups[len(groups)]

    def add_nest(self, sector):
        """A Fanatic Resistance Nest; returns its group."""
        group = self.add_group(Side.RUSSIAN, "N1")
        self.add(Side.RUSSIAN, "nest", sector, group=group)
        return group

    def add_line(self, side, amount, **values):
        """A line of CP."""
        lines = self.ledger.lines[Side(side)]
        number = len(lines) + 1
        values = {"firefight": 1, "reason": "Before", **values}
        lines[number] = CpLine(campaign=self.ledger.campaign, side=side, number=number, amount=amount, **values)
        return lines[number]

    # Acts

    def plain(self):
        """The values that acts may change, row by row."""
        return [{name: _copy(getattr(row, name)) for name in KEPT[type(row)]} for row in self.ledger.rows()]

    def put(self, rows):
        """Let the rows hold these values."""
        for row, values in zip(self.ledger.rows(), rows, strict=True):
            for name, value in values.items():
                setattr(row, name, value)

    def perform(self, table, act_id, version, do):
        """What campaign.ledger.performing.perform does, but for the database: all of an act or nothing."""
        before, numbers = self.plain(), (self.match.next_roll, self.match.last_number)
        self.bouts, self.act = [], SimpleNamespace(free_to_take_back=True, number=self.match.version + 1)
        act = MemoryAct(self.match, self.act, Side(table.side), self.ledger, table.plays_all)
        try:
            do(act)
        except Exception:
            self.put(before)
            self.match.next_roll, self.match.last_number = numbers
            raise
        self.match.version += 1
        return Done(self.match, self.act, act.entries)

    def _note_bout(self, ledger, battle, fought, note=battles.note_bout):
        self.bouts.append(fought.bout)
        return note(ledger, battle, fought)

    def _close_round(self, ledger, battle, close_round=battles.close_round):
        following, hit = close_round(ledger, battle)
        assert following == battles.battle_of(ledger), "the next round would be fought on another battle"
        return following, hit

    @contextmanager
    def open(self):
        """Acts inside this are done in memory."""
        with ExitStack() as stack:
            stack.enter_context(mock.patch.object(performing, "perform", self.perform))
            stack.enter_context(mock.patch.object(battles, "note_bout", self._note_bout))
            stack.enter_context(mock.patch.object(battles, "close_round", self._close_round))
            stack.enter_context(mock.patch.object(chartbooks, "_parsed", lambda *_: chartbooks.shipped(GAME)))
            yield self

    def do(self, act, side, *args, plays_all=False, **options):
        """Do one act; returns its lines."""
        table = SimpleNamespace(match=self.match, side=str(side), plays=True, plays_all=plays_all)
        return act(table, "", self.match.version, *args, **options).entries


def _copy(value):
    return deepcopy(value) if isinstance(value, dict) else list(value) if isinstance(value, list) else value
