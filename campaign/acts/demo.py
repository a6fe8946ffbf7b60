"""The demo campaign: a script of acts (fixtures/campaign/demo.toml), played once through the same services as any.

What was played is a pattern in which nobody sits; each visitor gets a copy of their own, which expires.
"""

import tomllib
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from campaign.ledger.act import Dice
from campaign.ledger.content import FIXTURES
from campaign.ledger.ledger import load
from campaign.rules.orders import Order
from campaign.rules.reports import News
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import LogEntry, Match, Snapshot
from firefight.table import archive, log, removal
from firefight.table.acts import Done
from firefight.table.seats import Table

from . import buying, orders, playing, seals, setting_up
from .beginning import begin

ID = "demo-pattern"
DAYS = 7  # that a copy is kept
AT_ONCE = 3  # copies whose time is over, removed whenever a new one is made
MISSING = "The demo campaign has not been loaded: run “python manage.py load_demo”."

Head = tuple[Table, str, int]  # what every act begins with: who acts, its id, the version it was drawn from


def find_demo() -> Match | None:
    """The match that all copies are made of, if it has been loaded."""
    return Match.objects.filter(pk=ID).first()


def load_demo() -> Match:
    """Play the script, unless the demo campaign is there already."""
    match = find_demo()
    if match is None:
        match, _ = begin(script()["card"], script()["name"], hot_seat=True, id=ID)
        play(match)
    return match


def copy(match: Match) -> tuple[Match, dict[str, str]]:
    """A visitor's own copy of the demo campaign, to be played on by one device, and each seat's token.

    It has every chapter to branch off from, dice of its own, and is removed after DAYS. Makes way for itself: older
    copies whose time is over are removed, a few at once.
    """
    for old in removal.find_expired()[:AT_ONCE]:
        removal.delete_match(old)
    with transaction.atomic():
        sides = tuple(side.value for side in Side)
        loaded = archive.make_match(archive.Archive(archive.dump(match, sides)), hot_seat=True, is_branch=True)
        made, told = loaded.match, f"This copy of the demo is yours alone. It is removed after {DAYS} days."
        log.record(made, None, LogEntry.Kind.SEAT, "", told)
        made.expires = timezone.now() + timedelta(days=DAYS)
        made.save(update_fields=[*log.GROWS, "expires"])
        for chapter in match.snapshots.all():
            Snapshot.objects.filter(match=made, number=chapter.number).update(state=chapter.state)
    return made, loaded.tokens


def script() -> dict[str, Any]:
    """The card, the name and the acts of the demo campaign."""
    return tomllib.loads((FIXTURES / "demo.toml").read_text(encoding="utf-8"))


def play(match: Match) -> None:
    """Play the script's acts on a campaign of its card that has just begun."""
    for line in script()["acts"]:
        match.refresh_from_db()
        table = Table(match, line["side"], tuple(Side), tuple(match.seats.all()))
        _DO[line["do"]]((table, str(uuid.uuid4()), match.version), line)
    match.refresh_from_db()


def _dice(line: dict[str, Any]) -> Dice:
    return Dice("table", line.get("dice", {}))


def _units(head: Head, line: dict[str, Any]) -> list[int]:
    """The units of groups by their numbers, the first few of each if "only" says so; 0 is for single counters."""
    side = Side(head[0].side)
    chosen: list[int] = []
    for number in line["groups"]:
        members = [u for u in load(head[0].match).in_play(side) if (u.group.number if u.group else 0) == number]
        chosen += [unit.number for unit in members[: line.get("only", len(members))]]
    return chosen


_DO: dict[str, Callable[[Head, dict[str, Any]], Done]] = {
    "buy": lambda head, line: buying.buy(*head, line["group"], _dice(line)),
    "seal": lambda head, line: orders.seal_orders(*head, Order(line["order"]) if "order" in line else None),
    "reveal": lambda head, line: orders.reveal_orders(*head),
    "plot": lambda head, line: seals.plot(*head, line["group"], line["hexes"][0], line["hexes"][1], line["turn"]),
    "place": lambda head, line: setting_up.place(*head, _units(head, line), line["sector"], line.get("hidden", False)),
    "confirm": lambda head, line: setting_up.confirm(*head),
    "end-turn": lambda head, line: playing.end_turn(*head, _dice(line)),
    "report": lambda head, line: playing.report(*head, _units(head, line), News(line["news"]), line.get("sector")),
    "battery": lambda head, line: playing.battery(*head, line["group"], playing.BatteryNews(line["news"])),
}
