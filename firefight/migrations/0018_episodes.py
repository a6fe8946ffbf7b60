"""Which lines of a log belong together, also of the logs that are there."""

from itertools import groupby

from django.db import migrations, models


def find_begins(apps, editor):
    """Say of each line of every log to which episode it belongs."""
    LogEntry = apps.get_model("firefight", "LogEntry")
    rows = LogEntry.objects.order_by("match_id", "number")
    read = rows.values_list("match_id", "pk", "number", "kind", "act_id", "about", "due", "voids")
    for _, lines in groupby(read.iterator(chunk_size=2000), key=lambda row: row[0]):
        by_begin = {}
        for pk, begin in join_lines(lines):
            by_begin.setdefault(begin, []).append(pk)
        for begin, keys in by_begin.items():
            for first in range(0, len(keys), 500):
                LogEntry.objects.filter(pk__in=keys[first : first + 500]).update(episode=begin)


def join_lines(lines):
    """Each line of a log that goes on with an episode, by its key, with the number of the line that began it."""
    begins, kinds, last = {}, {}, (None, 0)
    for _, pk, number, kind, act, about, due, voids in lines:
        due_number, _, place = due.partition("-")
        asking = int(due_number) if due_number.isascii() and due_number.isdigit() and not place.startswith("h") else 0
        if kind == "roll":
            asking = about or asking
        else:
            asking = about or 0 if kind == "counter" and not voids else 0
        begin = number
        if asking in kinds:
            begin = begin if kinds[asking] == "turn" else begins[asking]
        elif not asking and act is not None and act == last[0]:
            begin = last[1]
        begins[number], kinds[number], last = begin, kind, (act, begin)
        if begin != number:
            yield pk, begin


class Migration(migrations.Migration):
    dependencies = [("firefight", "0017_lesson")]

    operations = [
        migrations.AddField(
            model_name="logentry",
            name="episode",
            field=models.PositiveIntegerField(default=None, null=True),
        ),
        migrations.RunPython(find_begins, migrations.RunPython.noop),
    ]
