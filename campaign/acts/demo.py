"""The demo: a campaign in the middle of its second firefight, as scripts/make_demo.py has played it with sealed dice.

It is kept as a match's file (campaign/data/demo.json), with the seed of its dice, so that all of them can be checked,
and with the state at the beginning of each chapter. Each visitor gets a copy of their own, which expires.
"""

import json
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from campaign.ledger import content
from campaign.ledger.content import FIXTURES
from firefight.engine.values import Json
from firefight.games import chartbooks
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.models import LogEntry, Match, Snapshot
from firefight.table.act import writing
from firefight.table.act.writing import GROWS
from firefight.table.files import archive, making, removal

FILE = FIXTURES / "demo.json"
DAYS = 7  # that a copy is kept
AT_ONCE = 3  # expired copies to remove whenever a new one is made


def copy() -> tuple[Match, dict[str, str]]:
    """A visitor's own copy of the demo, to be played on by one device, and each seat's token.

    It has every chapter to branch off from and dice of its own, and is removed after DAYS. A few expired copies are
    removed first, to make room.
    """
    for old in removal.find_expired()[:AT_ONCE]:
        removal.delete_match(old)
    demo = read_demo()
    content.shipped_row()
    chartbooks.shipped_row(GAME)
    with transaction.atomic():
        loaded = making.make_match(archive.Archive(demo["file"]), hot_seat=True, is_branch=True)
        match, notice = loaded.match, f"This copy of the demo is yours alone. It is removed after {DAYS} days."
        writing.record(match, None, LogEntry.Kind.SEAT, "", notice)
        match.expires = timezone.now() + timedelta(days=DAYS)
        match.save(update_fields=[*GROWS, "expires"])
        chapters = {snapshot.number: snapshot for snapshot in match.snapshots.filter(state=None)}
        for number, state in demo["states"].items():
            chapters[int(number)].state = state
        Snapshot.objects.bulk_update(chapters.values(), ["state"])
    return match, loaded.tokens


def read_demo() -> Json:
    """What is kept of the demo: ``file``, a match's file, and ``states``, the state at the beginning of each chapter.

    The charts and the content that it was played with are the shipped ones, and are not kept twice.
    """
    demo: Json = json.loads(FILE.read_text(encoding="utf-8"))
    demo["file"]["charts"] = chartbooks.shipped_data(GAME)
    demo["file"]["ledger"]["content"] = {"name": "House content", "data": content.shipped_data()}
    return demo
