"""A match that its host has locked."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("firefight", "0014_story")]

    operations = [
        migrations.AddField(model_name="match", name="locked", field=models.DateTimeField(default=None, null=True)),
    ]
