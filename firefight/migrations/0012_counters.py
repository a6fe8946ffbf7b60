"""Lines about counters, and which counters a line is about."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("firefight", "0011_record")]

    operations = [
        migrations.AlterField(
            model_name="logentry",
            name="kind",
            field=models.CharField(choices=[("roll", "Roll"), ("note", "Note"), ("sealed", "Sealed"), ("reveal", "Reveal"), ("turn", "Turn"), ("record", "Record"), ("counter", "Counter"), ("drop", "Drop"), ("spent", "Spent"), ("seat", "Seat"), ("ledger", "Ledger"), ("book", "Book"), ("take_back", "Take Back"), ("proposal", "Proposal"), ("end", "End")], max_length=16),
        ),
        migrations.AddField(
            model_name="logentry",
            name="touches",
            field=models.TextField(blank=True, default=""),
        ),
    ]
