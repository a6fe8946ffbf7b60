"""Open a database of an earlier version with this one, and tell what is in it: run with VOLGA_DATA, ALLOWED_HOSTS and
DJANGO_SETTINGS_MODULE set, in a process of its own, since the settings of the tests point elsewhere."""

import json
import sys

import django
from django.core.management import call_command
from django.test import Client

if __name__ == "__main__":
    django.setup()

from firefight.columns import write_rolls
from firefight.models import LogEntry, Match
from firefight.table.files import archive, making
from firefight.table.log import fairness, reading


def look(facts):
    """What this version makes of the database."""
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    call_command("load_shipped", verbosity=0)
    matches = {match.pk: match for match in Match.objects.filter(pk__in=facts["seeds"])}
    return {
        "logs": {pk: lines_of(pk) for pk in facts["logs"]},
        "seeds": {pk: [match.commitment, match.seed, match.next_roll] for pk, match in matches.items()},
        "pages": {side: page_as(cookie, facts["match"]) for side, cookie in facts["cookies"].items()},
        "chains": {pk: fairness.check_log(reading.export_log(match, ())).problems for pk, match in matches.items()},
        "opened": [open_file(name) for name in sys.argv[2:]],
    }


def lines_of(pk):
    rows = LogEntry.objects.filter(match=pk).order_by("number")
    return [[row.number, row.kind, row.side, row.sentence, row.secret, write_rolls(row.rolls)] for row in rows]


def page_as(cookie, match_id):
    """Whether a browser of that version still sits at the match, and what it reads of sealed notes there."""
    client = Client()
    client.cookies["sessionid"] = cookie
    response = client.get(f"/match/{match_id}/")
    page = response.content.decode()
    taken_back = client.get(f"/match/{match_id}/log.json").json()
    return [response.status_code, "the gun is in K7" in page, "mines in L9" in page, len(taken_back["entries"])]


def open_file(name):
    """The lines of the match that a file becomes, without the one that tells of it."""
    with open(name, "rb") as file:
        match = making.make_match(archive.read_archive(file.read()), True).match
    return [row[3] for row in lines_of(match.pk)[:-1]]


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print(json.dumps(look(json.load(file))))
