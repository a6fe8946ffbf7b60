"""What each device has read, ways to hear of one's turn, and keys of files."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def begin_with_all_read(apps, schema_editor):
    """Nobody has missed what was logged before it was noted who has read what."""
    match = apps.get_model("firefight", "Match").objects.filter(seats=OuterRef("seat"))
    last = Subquery(match.values("last_number")[:1])
    apps.get_model("firefight", "Device").objects.update(read=last, visit=last, arrived=last)


class Migration(migrations.Migration):
    dependencies = [("firefight", "0012_counters")]

    operations = [
        migrations.AddField(model_name="device", name="read", field=models.PositiveIntegerField(default=0)),
        migrations.AddField(model_name="device", name="visit", field=models.PositiveIntegerField(default=0)),
        migrations.AddField(model_name="device", name="arrived", field=models.PositiveIntegerField(default=0)),
        migrations.RunPython(begin_with_all_read, migrations.RunPython.noop),
        migrations.CreateModel(
            name="FileKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("secret", models.CharField(max_length=44)),
                ("wrapped", models.CharField(blank=True, max_length=120)),
                ("since", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="file_keys", to="firefight.seat"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Subscription",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("feed", "Feed"), ("webhook", "Webhook"), ("mail", "Mail")], max_length=8
                    ),
                ),
                ("address", models.CharField(blank=True, max_length=500)),
                ("token", models.CharField(blank=True, db_index=True, max_length=64)),
                ("since", models.DateTimeField(default=django.utils.timezone.now)),
                ("confirmed", models.DateTimeField(default=None, null=True)),
                ("told", models.PositiveIntegerField(default=0)),
                ("awaited", models.BooleanField(default=False)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("trouble", models.CharField(blank=True, max_length=120)),
                (
                    "seat",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="subscriptions",
                        to="firefight.seat",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("seat", "kind"), name="one_subscription_a_kind")]
            },
        ),
    ]
