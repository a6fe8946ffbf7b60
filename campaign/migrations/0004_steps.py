"""The Random marker's hex (20.5.8.1 step 6), and what a single counter paid to go in (20.8.3)."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaign", "0003_battle")]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="random_hex",
            field=models.CharField(blank=True, default="", max_length=4),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="cpline",
            name="unit",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="campaign.unit"
            ),
        ),
    ]
