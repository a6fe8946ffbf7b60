import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    """An act has its time as soon as it begins, for its lines to take over."""

    dependencies = [("firefight", "0020_own_sheets")]

    operations = [
        migrations.AlterField("act", "at", models.DateTimeField(default=django.utils.timezone.now)),
    ]
