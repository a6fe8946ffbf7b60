"""The beginning of a campaign: its card is chosen, the at-start OB is laid out (20.5.2, 20.5.6)."""

from dataclasses import replace
from typing import Any

from django.db import transaction
from django.urls import reverse

from campaign.ledger import content, rows
from campaign.ledger.act import CampaignAct
from campaign.ledger.ledger import Ledger
from campaign.models import Campaign, ContentBook
from campaign.rules.cards import Card
from campaign.rules.sectors import initial_control, write_control
from campaign.rules.stages import Stage
from firefight.games import registry
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Act, ChartBook, LogEntry, Match
from firefight.table.act import snapshots, undo, writing
from firefight.table.seats import sitting_down


def begin(
    card_id: str,
    name: str,
    hot_seat: bool,
    book: ChartBook | None = None,
    played_with: ContentBook | None = None,
    **more: Any,
) -> tuple[Match, dict[str, str]]:
    """Begin a campaign: its match, and each seat's token.

    ``card_id``: "cg1" or "cg2"; raises KeyError for any other. ``book``: the chart book, and ``played_with`` the
    content, the shipped ones if None. ``more``: an id or a seed for the match.
    """
    with transaction.atomic():
        row = played_with or content.shipped_row()
        pinned = content.read_pinned(row.pk)
        card = pinned.cards[card_id]
        match, tokens = sitting_down.new_match(registry.games()[GAME], name, hot_seat, book, has_ledger=True, **more)
        match.state = replace(match.state, ledger=reverse("campaign:campaign", args=[match.pk]))
        campaign = Campaign(match=match, content=row, card=card_id, stage=Stage.PURCHASES)
        deployment = {side: card.forces[side].deployment for side in Side}
        campaign.held = write_control(initial_control(pinned.sector_map.neighbours, deployment))
        ledger = Ledger(match, campaign, pinned)
        beginning = Act(match=match)
        for side in Side:
            lay_out_at_start(CampaignAct(match, beginning, side, ledger), card)
        undo.keep_rows(beginning, ledger.rows())
        _announce(match, card)
        match.save(update_fields=["state", *writing.GROWS])
        snapshots.take_snapshot(match, match.version, snapshots.BEGINNING, rows.write_snapshot(ledger))
    return match, tokens


def lay_out_at_start(act: CampaignAct, card: Card) -> None:
    """Lay out the at-start OB as units, off the map; its groups tick no boxes (20.5.2)."""
    forces = card.forces[act.side]
    for rg, number in forces.groups.items():
        for _ in range(number):
            group = act.add_group(rg)
            act.add_units(act.ledger.roster_line(group).contents, group)
    act.add_units(forces.counters)
    act.pay(forces.cp, "At-start OB")


def _announce(match: Match, card: Card) -> None:
    forces = "; ".join(f"{side.word} {card.forces[side].cp} CP, {card.forces[side].stance.word}" for side in Side)
    sentence = f"{card.label}, {card.name}: {', '.join(card.times)}. {forces}."
    writing.record(match, None, LogEntry.Kind.LEDGER, "", sentence)
