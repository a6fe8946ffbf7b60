"""A campaign as tests play it: through the acts themselves, each with a fresh act id and the current version.

``Game`` also knows every row there is, so that a refusal can be seen to change none of them, and a take-back to restore
all.
"""

import uuid
from contextlib import contextmanager
from copy import deepcopy

import pytest

from campaign.acts import buying, orders, reporting, setting_up, turns
from campaign.acts.beginning import begin
from campaign.ledger import content
from campaign.ledger.dice import Dice
from campaign.ledger.ledger import load
from campaign.models import Campaign, ContentBook, CpLine, Group, Seal, Unit
from campaign.rules.orders import Order
from campaign.rules.reports import News
from campaign.rules.sectors import Holding, write_control
from campaign.rules.stages import Stage
from firefight.games.chartbooks import digest
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import LogEntry, Match
from firefight.table.act.refusals import Refused
from firefight.table.act.table import Table
from firefight.table.consent import matters
from tests.frozen import every_row
from tests.reading import trial

GERMAN, RUSSIAN = Side.GERMAN, Side.RUSSIAN
ATTACK, HOLD = Order.ATTACK, Order.HOLD
APP = Dice("app")
LEDGER_MODELS = (Campaign, Group, Unit, Seal, CpLine)


def typed(**faces):
    """Dice as they lay on the table."""
    return Dice("table", faces)


def other(side):
    """The other side."""
    return GERMAN if side == RUSSIAN else RUSSIAN


def numbers(rows):
    """How forms name rows."""
    return [row.number for row in rows]


def shipped_copy():
    """The shipped content as plain values that may be changed."""
    return deepcopy(content.shipped_data())


def stored(data):
    """Content as a row, which is read when a campaign begins with it, and once in a process."""
    return ContentBook.objects.get_or_create(digest=digest(data), defaults={"data": data, "name": "Of a test"})[0]


class Game:
    """A match with a campaign. Sides may be given as "german" too."""

    def __init__(self, match_id):
        self.match_id = match_id
        self._held = None

    def __getstate__(self):
        """What is kept of a game: the ledger is in the rows."""
        return {**vars(self), "_held": None}

    @classmethod
    def begin(cls, card="cg2", hot_seat=False, name="The Tractor Works", book=None, data=None):
        """Begin a campaign with the shipped content, or with this."""
        return cls(begin(card, name, hot_seat, book, stored(data or content.shipped_data()))[0].pk)

    # What there is

    @property
    def match(self):
        """The match as it is stored now."""
        return Match.objects.get(pk=self.match_id)

    @property
    def ledger(self):
        """The ledger as it is stored now, with everything in it. It is not loaded again until something changes."""
        match = self.match
        if self._held is None or self._held.match.version != match.version:
            self._held = load(match)
        return self._held

    @property
    def stage(self):
        """Where the campaign stands."""
        return Stage(Campaign.objects.get(pk=self.match_id).stage)

    @property
    def entries(self):
        """The log, oldest first."""
        return list(LogEntry.objects.filter(match=self.match_id).order_by("number"))

    @property
    def last(self):
        """The newest line of the log."""
        return self.entries[-1]

    def known(self, *sides):
        """The ledger as somebody who may see these sides' secrets gets it; an observer names none."""
        return self.ledger.known(tuple(sides))

    def balance(self, side):
        """A side's CP."""
        return self.ledger.balance(Side(side))

    def group(self, side, rg, place=-1):
        """A group by its ID on the roster, the newest of several."""
        return [group for group in self.ledger.groups[Side(side)].values() if group.rg == rg][place]

    def units(self, side, rg="", counter=""):
        """A side's units in play: all, those of its newest group with an ID, those of a kind, or both."""
        ledger = self.ledger
        group = self.group(side, rg).number if rg else None
        return [
            unit
            for unit in ledger.in_play(Side(side))
            if (not rg or (unit.group and unit.group.number == group)) and counter in ("", unit.counter)
        ]

    def unit(self, side, number):
        """A unit by its number, in play or gone."""
        return self.ledger.units[Side(side)][number]

    def standing(self):
        """What acts change and taking back restores: state, rows, and the lines of the log that stand."""
        match = self.match
        return {
            "state": match.state.to_json(),
            "rows": {
                (model.__name__, row.pk): row.plain()
                for model in LEDGER_MODELS
                for row in model.objects.filter(**{"match" if model is Campaign else "campaign": match.pk})
            },
            "log": [
                (entry.number, entry.sentence, entry.secret, entry.revealed_by)
                for entry in self.entries
                if entry.voided_by is None and entry.kind != LogEntry.Kind.TAKE_BACK
            ],
        }

    # Acts

    def table(self, side, sides=None):
        """The table as this side's browser sees it now."""
        match = self.match
        return Table(match, str(side), sides or (str(side),), tuple(match.seats.all()))

    def do(self, act, side, *args, version=None, act_id=None, sides=None, **options):
        """Do one act: a fresh id and the present version, unless given."""
        table = self.table(side, sides)
        version = table.match.version if version is None else version
        return act(table, act_id or str(uuid.uuid4()), version, *args, **options)

    def refuse(self, act, side, *args, error=Refused, match=None, **options):
        """See that an act is refused and that no row has changed; returns the refusal."""
        before = every_row()
        with pytest.raises(error, match=match) as caught:
            self.do(act, side, *args, **options)
        assert every_row() == before
        return caught.value

    def take_back(self, side):
        """Take the last act back, with the other side's word where it is needed."""
        done = self.do(matters.propose_take_back, side)
        if self.match.proposal:
            done = self.do(matters.answer, other(side), agrees=True)
        return done

    @contextmanager
    def trial(self):
        """Whatever is done in here is undone afterwards."""
        with trial():
            yield
        self._held = None

    # Acts by their names

    def buy(self, side, rg, dice=None, **faces):
        """Buy a group with these dice; leaders come with a 10, which brings none, unless told otherwise."""
        return self.do(buying.buy, side, rg, dice or typed(**{"die": 10, **faces}))

    def seal(self, side, order=None, bonus=False):
        """Seal a side's orders."""
        return self.do(orders.seal_orders, side, order, bonus)

    def orders(self, german=None, russian=None, german_bonus=False, russian_bonus=False):
        """Seal both sides' orders and reveal them."""
        self.seal(GERMAN, german, german_bonus)
        self.seal(RUSSIAN, russian, russian_bonus)
        return self.do(orders.reveal_orders, GERMAN)

    def place(self, side, units, sector, hidden=False, **building):
        """Set units up."""
        return self.do(setting_up.place, side, numbers(units), sector, hidden, **building)

    def report(self, side, units, news, sector=None):
        """Report what became of units."""
        return self.do(reporting.report, side, numbers(units), News(news), sector)

    def end_turn(self, side=GERMAN, **faces):
        """End a turn of the firefight."""
        return self.do(turns.end_turn, side, typed(**faces), leaves=True)

    def through_to(self, stage, attacker=GERMAN):
        """Play on, with nothing bought and nothing set up, until the campaign stands at a stage."""
        stage = Stage(stage)
        while (current := self.stage) is not stage:
            if current is Stage.REINFORCEMENTS:
                for side in Side:
                    self.do(buying.reinforce, side, typed(die=1))
            elif current is Stage.PURCHASES:
                self._choose(stage, attacker)
            elif current is Stage.PRIORITY:
                faces = (10, 1) if attacker == GERMAN else (1, 10)
                self.do(orders.roll_for_attacker, GERMAN, typed(german_die=faces[0], russian_die=faces[1]))
            elif current is Stage.SETUP:
                self.do(setting_up.confirm, self.ledger.setting_up)
            elif current is Stage.FIREFIGHT:
                self.end_turn(**({"die": 10} if self.match.state.turn == 5 else {}))
            else:
                raise AssertionError(f"There is no way from {current} to {stage}.")
        return self

    def _choose(self, stage, attacker):
        if stage in (Stage.REINFORCEMENTS, Stage.OVER):
            self.orders(HOLD, HOLD)
        elif stage is Stage.PRIORITY:
            self.orders(ATTACK, ATTACK)
        else:
            self.orders(*(ATTACK if side == attacker else HOLD for side in Side))

    # By hand

    def write(self, row, **values):
        """Put values into a row without an act."""
        type(row).objects.filter(pk=row.pk).update(**values)
        self._held = None

    def give(self, side, *sectors):
        """Let a side control sectors."""
        ledger = self.ledger
        control = ledger.control | dict.fromkeys(sectors, Holding(side))
        self.write(ledger.campaign, held=write_control(control))

    def grant(self, side, amount):
        """A line of CP out of the blue."""
        campaign = self.ledger.campaign
        number = max(self.ledger.lines[Side(side)], default=0) + 1
        CpLine.objects.create(
            campaign=campaign, side=Side(side), number=number, firefight=1, amount=amount, reason="By hand"
        )
        self._held = None
