"""What a sheet is printed from: the content, and the campaign as far as its reader knows it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from campaign.ledger.ledger import Ledger
from campaign.presenters.units import Party
from campaign.rules.cards import Card
from campaign.rules.content import Content
from firefight.drawing.paper import GREY, Format, Paper

from .blocks import SMALL, Paragraph, Stack

_SENTENCES = {
    "house": "House values: ours, fitted to what the rulebook's text says, not the published ones.",
    "text": "Values that the rulebook's text gives.",
    "owner": "Values typed in from somebody's own copy.",
}


@dataclass(frozen=True, slots=True)
class Printing:
    """One order to print.

    ``ledger``: as the reader knows it, or None for a sheet to be filled in by pencil; ``card``: None for a sheet that
    serves all campaigns. ``subject``: for the foot of the pages. ``way_back``: the reader's own link to their seat,
    which only the record prints.
    """

    content: Content
    subject: str
    size: Format
    printed: datetime
    card: Card | None = None
    ledger: Ledger | None = None
    way_back: str = ""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that the sheet serves."""
        return (self.card,) if self.card else tuple(self.content.cards.values())

    @property
    def occasion(self) -> str:
        """The campaign and where it stands, in a line."""
        if self.card is None:
            return " and ".join(f"{card.label}: {card.name}" for card in self.cards)
        name = f"{self.card.label}: {self.card.name}"
        if self.ledger is None:
            return name
        firefight = self.ledger.campaign.firefight
        return (
            f"{name} · {self.ledger.time}, firefight {firefight} of {len(self.card.times)} · {self.ledger.stage.word}"
        )

    def begin(self, title: str, sentences: Iterable[str]) -> Paper:
        """A new document with a heading on its first page: its title, the occasion, and some sentences."""
        paper = Paper(f"{title} · {self.subject}", self.subject, self.size, self.printed)
        paper.add_page()
        paper.heading(title)
        head = Stack(
            (Paragraph(self.occasion, 9), Paragraph(" ".join(filter(None, sentences)), SMALL, ink=GREY)), framed=False
        )
        head.draw(paper, paper.l_margin, paper.y + 0.5, paper.epw)
        paper.set_y(paper.y + head.height(paper, paper.epw) + 2.5)
        return paper


def describe_provenance(provenances: Iterable[str]) -> str:
    """Whose values a sheet holds, in sentences."""
    origins = set(provenances)
    return " ".join(sentence for provenance, sentence in _SENTENCES.items() if provenance in origins)


def tell_party(party: Party) -> str:
    """The units of one group in a line."""
    return f"{party.title}: {', '.join(map(str, party.piles))}"
