"""Chain the lines of every log by digests, those that are there already too."""

import secrets
from datetime import UTC

from django.db import migrations, models

from firefight.engine import chain

CHAINED = ["voids", "salt", "secret_digest", "digest"]


def chain_logs(apps, schema_editor):
    Match, LogEntry = apps.get_model("firefight", "Match"), apps.get_model("firefight", "LogEntry")
    for match_id in Match.objects.values_list("pk", flat=True).iterator():
        entries = list(LogEntry.objects.filter(match=match_id).order_by("number"))
        Match.objects.filter(pk=match_id).update(digest=chain_entries(entries))
        LogEntry.objects.bulk_update(entries, CHAINED, batch_size=200)


def chain_entries(entries):
    by_number = {entry.number: entry for entry in entries}
    for entry in entries:
        if entry.voided_by in by_number:
            by_number[entry.voided_by].voids.append(entry.number)
    digest = ""
    for entry in entries:
        if entry.secret or (entry.kind in ("sealed", "ledger") and entry.side):
            entry.salt = secrets.token_hex(16)
            entry.secret_digest = chain.secret_digest(entry.salt, {"secret": entry.secret, "inputs": entry.inputs})
        digest = entry.digest = chain.line_digest(digest, plain(entry))
    return digest


def plain(entry):
    names = "number kind side sentence secret secret_digest helper inputs result rolls about voids app".split()
    return {name: getattr(entry, name) for name in names} | {"at": entry.at.astimezone(UTC).isoformat()}


class Migration(migrations.Migration):
    dependencies = [
        ("firefight", "0004_chart_room"),
    ]

    operations = [
        migrations.AddField("match", "digest", models.CharField(blank=True, default="", max_length=64), False),
        migrations.AddField("logentry", "salt", models.CharField(blank=True, default="", max_length=32), False),
        migrations.AddField("logentry", "secret_digest", models.CharField(blank=True, default="", max_length=64), False),
        migrations.AddField("logentry", "voids", models.JSONField(default=list)),
        migrations.AddField("logentry", "app", models.CharField(blank=True, default="", max_length=40), False),
        migrations.AddField("logentry", "digest", models.CharField(blank=True, default="", max_length=64), False),
        migrations.AlterField(
            "logentry",
            "kind",
            models.CharField(
                choices=[
                    ("roll", "Roll"),
                    ("note", "Note"),
                    ("sealed", "Sealed"),
                    ("reveal", "Reveal"),
                    ("turn", "Turn"),
                    ("drop", "Drop"),
                    ("spent", "Spent"),
                    ("seat", "Seat"),
                    ("ledger", "Ledger"),
                    ("book", "Book"),
                    ("take_back", "Take Back"),
                    ("end", "End"),
                ],
                max_length=16,
            ),
        ),
        migrations.RunPython(chain_logs, migrations.RunPython.noop, elidable=True),
    ]
