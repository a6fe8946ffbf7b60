"""A match that is a lesson."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("firefight", "0016_mailboxes")]

    operations = [
        migrations.AddField(model_name="match", name="lesson", field=models.JSONField(default=None, null=True)),
    ]
