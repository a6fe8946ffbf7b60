"""The link to a story that is shared, and photos that hang on lines of the log."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("firefight", "0013_returning")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="story_hash",
            field=models.CharField(blank=True, db_index=True, default="", max_length=64),
        ),
        migrations.AlterField(
            model_name="logentry",
            name="kind",
            field=models.CharField(choices=[("roll", "Roll"), ("note", "Note"), ("sealed", "Sealed"), ("reveal", "Reveal"), ("turn", "Turn"), ("record", "Record"), ("counter", "Counter"), ("drop", "Drop"), ("spent", "Spent"), ("photo", "Photo"), ("seat", "Seat"), ("ledger", "Ledger"), ("book", "Book"), ("take_back", "Take Back"), ("proposal", "Proposal"), ("end", "End")], max_length=16),
        ),
        migrations.CreateModel(
            name="Photo",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("data", models.BinaryField()),
                ("size", models.PositiveIntegerField()),
                ("width", models.PositiveSmallIntegerField()),
                ("height", models.PositiveSmallIntegerField()),
                ("match", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="photos", to="firefight.match")),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("match", "number"), name="one_photo_a_line")]},
        ),
    ]
