from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("firefight", "0018_episodes")]

    operations = [
        migrations.AddIndex("logentry", index)
        for index in (
            models.Index(fields=["match", "voided_by"], condition=Q(voided_by__isnull=False), name="lines_struck"),
            models.Index(fields=["match", "revealed_by"], condition=Q(revealed_by__isnull=False), name="lines_opened"),
            models.Index(fields=["match"], condition=~Q(secret=""), name="lines_under_seal"),
        )
    ]
