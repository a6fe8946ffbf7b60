"""What players note on a unit, and the unit that it rides on or is led by."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaign", "0004_steps")]

    operations = [
        migrations.AlterField(model_name="unit", name="hex", field=models.CharField(blank=True, max_length=12)),
        migrations.AddField(
            model_name="unit",
            name="beside",
            field=models.PositiveIntegerField(default=None, null=True),
        ),
        migrations.AddField(
            model_name="unit",
            name="note",
            field=models.CharField(blank=True, default="", max_length=120),
            preserve_default=False,
        ),
    ]
