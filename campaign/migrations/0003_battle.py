"""Units note the level of a building besides their hex: "K7/1"."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaign", "0002_offered")]

    operations = [
        migrations.AlterField(
            model_name="unit",
            name="hex",
            field=models.CharField(blank=True, max_length=6),
        ),
    ]
