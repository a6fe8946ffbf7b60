"""What was a wish to take back becomes one kind of proposal among others."""

from django.db import migrations, models


def make_proposals(apps, schema_editor):
    match = apps.get_model("firefight", "Match")
    for row in match.objects.filter(proposal__isnull=False).only("pk", "proposal"):
        row.proposal = {"matter": "take_back", "by": row.proposal["by"], "what": {}}
        row.save(update_fields=["proposal"])


class Migration(migrations.Migration):
    dependencies = [("firefight", "0007_bounds")]

    operations = [
        migrations.RenameField("match", "take_back", "proposal"),
        migrations.RunPython(make_proposals, migrations.RunPython.noop),
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
                    ("proposal", "Proposal"),
                    ("end", "End"),
                ],
                max_length=16,
            ),
        ),
    ]
