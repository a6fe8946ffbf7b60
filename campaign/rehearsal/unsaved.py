"""A campaign that is never saved: its acts are done as at a table, on the same ledger, by the same conductor.

What only a table needs is left out: the log's chain, chapters, what taking an act back needs.
"""

import hashlib
import inspect
from collections import Counter as Tally
from collections.abc import Callable
from dataclasses import dataclass, field

from campaign.acts.beginning import lay_out_at_start
from campaign.ledger import content
from campaign.ledger.act import CampaignAct
from campaign.ledger.dice import Dice
from campaign.ledger.ledger import Ledger
from campaign.models import Campaign
from campaign.rules.sectors import Holding, initial_control, write_control
from campaign.rules.stages import Stage
from firefight.games import chartbooks
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.kit import Broken
from firefight.models import Act, LogEntry, Match

from .soundness import list_breaches, list_unearned

APP = Dice("app")  # those of the match's seed, as the app rolls them


class UnsavedAct(CampaignAct):
    """An act whose lines do not go into a log."""

    def tell(self, sentence: str, *, secret: str = "", about: LogEntry | int | None = None, **more: object) -> LogEntry:
        """A line that is numbered, and kept only with the act."""
        self.match.last_number += 1
        entry = LogEntry(match=self.match, number=self.match.last_number, sentence=sentence, secret=secret)
        self.entries.append(entry)
        return entry

    def reveal(self, number: int, sentence: str, side: Side | None = None) -> LogEntry:
        """The line that opens a secret."""
        return self.tell(sentence)

    def keep_chapter(self) -> None:
        """Nothing is kept: nobody looks back."""


@dataclass
class UnsavedCampaign:
    """A campaign and what has been done in it.

    ``counts``: how often, by the act's name; ``settled``: who won the sectors that were fought over. ``flaws``: what
    was wrong, looked for after every act if it ``is_checked``.
    """

    ledger: Ledger
    is_checked: bool = True
    counts: Tally[str] = field(default_factory=Tally)
    settled: Tally[Holding] = field(default_factory=Tally)
    flaws: list[Broken] = field(default_factory=list)

    @classmethod
    def begin(cls, card_id: str, seed: int, is_checked: bool = True) -> "UnsavedCampaign":
        """At its first purchases, with the at-start OB of its card (20.5.2)."""
        shipped, card = content.shipped(), content.shipped().cards[card_id]
        numbers = hashlib.sha256(f"campaign {seed}".encode()).hexdigest()
        match = Match(id="unsaved", game=GAME, book_id=chartbooks.shipped_digest(GAME), seed=numbers)
        row = Campaign(match=match, content_id=content.digest_of_shipped(), card=card_id, stage=Stage.PURCHASES)
        areas = {side: card.forces[side].deployment for side in Side}
        row.held = write_control(initial_control(shipped.sector_map.neighbours, areas))
        campaign = cls(Ledger(match, row, shipped), is_checked)
        for side in Side:
            lay_out_at_start(campaign.open_act(side), card)
        return campaign

    def open_act(self, side: Side) -> UnsavedAct:
        """An act of a side; both sit at one device."""
        return UnsavedAct(self.ledger.match, Act(match=self.ledger.match), side, self.ledger, plays_all=True)

    def do(self, act: Callable[..., object], side: Side, *arguments: object, **more: object) -> None:
        """Do an act. Raises what it raises at a table; the campaign must not be played on then."""
        body = inspect.unwrap(act)
        before = self.ledger.control
        body(self.open_act(side), *arguments, **more)
        self.ledger.match.version += 1
        self.counts[body.__name__] += 1
        after = self.ledger.control
        fought_over = [sector for sector, holding in before.items() if holding is Holding.THREATENED]
        settled = {sector: after[sector] for sector in fought_over if after[sector] is not Holding.THREATENED}
        self.settled.update(settled.values())
        if self.is_checked:
            breaches = [*list_breaches(self.ledger), *list_unearned(self.ledger, settled)]
            self.flaws += (Broken(self.counts.total(), *breach) for breach in breaches)

    @property
    def throws(self) -> int:
        """Dice so far."""
        return self.ledger.match.next_roll - 1
