"""The demo: a campaign in the middle of its second firefight, as scripts/make_demo.py has played it with sealed dice.

It is kept as a file of a match (campaign/data/demo.json), with the seed of its dice, so that all of them can be
checked, and with how things stood as each chapter began. Each visitor gets a copy of their own, which expires.
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
AT_ONCE = 3  # copies whose time is over, removed whenever a new one is made


def copy() -> tuple[Match, dict[str, str]]:
    """A visitor's own copy of the demo, to be played on by one device, and each seat's token.

    It has every chapter to branch off from, dice of its own, and is removed after DAYS. Makes way for itself: older
    copies whose time is over are removed, a few at once.
    """
    for old in removal.find_expired()[:AT_ONCE]:
        removal.delete_match(old)
    kept = read_demo()
    content.shipped_row()
    chartbooks.shipped_row(GAME)
    with transaction.atomic():
        loaded = making.make_match(archive.Archive(kept["file"]), hot_seat=True, is_branch=True)
        made, told = loaded.match, f"This copy of the demo is yours alone. It is removed after {DAYS} days."
        writing.record(made, None, LogEntry.Kind.SEAT, "", told)
        made.expires = timezone.now() + timedelta(days=DAYS)
        made.save(update_fields=[*GROWS, "expires"])
        chapters = {each.number: each for each in made.snapshots.filter(state=None)}
        for number, state in kept["states"].items():
            chapters[int(number)].state = state
        Snapshot.objects.bulk_update(chapters.values(), ["state"])
    return made, loaded.tokens


def read_demo() -> Json:
    """What is kept of the demo: ``file``, a match's file, and ``states``, how things stood as each chapter began.

    The charts and the content that it was played with are the shipped ones, and are not kept twice.
    """
    kept: Json = json.loads(FILE.read_text(encoding="utf-8"))
    kept["file"]["charts"] = chartbooks.shipped_data(GAME)
    kept["file"]["ledger"]["content"] = {"name": "House content", "data": content.shipped_data()}
    return kept
