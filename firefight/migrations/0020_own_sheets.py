from django.db import migrations, models

import firefight.models


class Migration(migrations.Migration):
    """Sheets on shelves; what matches keep stays as it is."""

    dependencies = [("firefight", "0019_marked_lines")]

    operations = [
        migrations.CreateModel(
            name="OwnSheet",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=firefight.models.new_match_id,
                        editable=False,
                        max_length=12,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("owner", models.CharField(db_index=True, max_length=64)),
                ("data", firefight.models.PlainField()),
                ("versions", models.JSONField(default=list)),
                ("share", models.CharField(blank=True, max_length=64)),
                ("revision", models.PositiveIntegerField(default=1)),
                ("changed", models.DateTimeField(auto_now=True)),
                ("game", models.CharField(max_length=40)),
                ("sheet", models.CharField(max_length=40)),
            ],
            options={"abstract": False},
        ),
    ]
