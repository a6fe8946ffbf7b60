"""What a report counts, counted again from a match's exported log alone: who fell of what, and how the dice fell.

Written from what log.json says of itself (docs/dice.md), line by line, with nothing of the app but the names of its
rolls' groups. ``check_story`` holds the report against it.
"""

from collections import Counter

from firefight.assistant import registry
from firefight.table import log, report

HARM = {"reduced", "wounded", "m_killed", "f_killed", "eliminated"}


def standing(lines):
    """The lines that nothing has struck."""
    return [line for line in lines if not line["voided_by"]]


def root_of(line, rolls):
    """The roll that began it all: up by what each line answers, or is about."""
    asked = str(line.get("due") or "").split("-")[0]
    above = int(asked) if asked else line["about"] if line["kind"] == "counter" else None
    if above not in rolls:
        return line if line["kind"] == "roll" else None
    return root_of(rolls[above], rolls)


def losses(lines, dues):
    """How often each harm came to each side by each cause: {(side, harm, cause): times}.

    ``dues``: by number, which step of which line a roll answered; the exported log does not say.
    """
    lines = [{**line, "due": dues.get(line["number"], "")} for line in standing(lines)]
    rolls = {line["number"]: line for line in lines if line["kind"] == "roll"}
    fallen, found = {}, Counter()
    for line in lines:
        inputs = line.get("inputs", {})
        for counter, words in inputs.get("befell", {}).items():
            for word in words:
                if word == "eliminated":
                    fallen[counter] = inputs["cause"]
                elif word in HARM:
                    found[counter.split("-")[0], word, inputs["cause"]] += 1
        for counter, changes in inputs.get("counters", {}).items() if line["kind"] == "counter" else ():
            root = root_of(line, rolls)
            cause = root["helper"] if root else ""
            was, now = changes.get("fate", ["", ""])
            if now == "eliminated":
                fallen[counter] = cause
            elif was and not now:
                fallen.pop(counter, None)
            before, after = changes.get("state", [[], []])
            for word in set(after) - set(before):
                if word in HARM:
                    found[counter.split("-")[0], word, cause] += 1
    for counter, cause in fallen.items():
        found[counter.split("-")[0], "eliminated", cause] += 1
    return found


def dice(lines):
    """Every die that counts: {(side, sides, source): faces}."""
    found = {}
    for line in lines:
        for die in line["rolls"]:
            again = die["source"] == "app" and "of" in die
            counts = not line["voided_by"] or die["source"] == "app"
            if counts and not again and not die.get("card") and die["face"]:
                key = (die.get("side", line["side"]), die["sides"], die.get("dice", 1), die["source"])
                found.setdefault(key, []).append(die["face"])
    return found


def check_story(match):
    """The report's losses, with its charts of them, and its dice are those that are counted here."""
    sees = ("german", "russian")
    lines = log.export(match, sees)["entries"]
    dues = dict(match.log.values_list("number", "due"))
    groups = {slug: helper.group for slug, helper in registry.helpers(match.game).items()}
    fell, hurt = Counter(), Counter()
    for (side, harm, cause), times in losses(lines, dues).items():
        counted = fell if harm == "eliminated" else hurt
        counted[side, groups.get(cause, cause or "told by hand")] += times
    told = report.read_story(match, sees)
    assert {(loss.side, loss.cause): loss.fell for loss in told.losses if loss.fell} == fell
    assert {(loss.side, loss.cause): loss.hurt for loss in told.losses if loss.hurt} == hurt
    for chart in told.charts:
        if chart.title.startswith("Counters that fell"):
            for series in chart.series:
                assert sum(series.values) == sum(n for (side, _), n in fell.items() if side == series.name.lower())
    thrown = sorted((sides, number, sorted(faces)) for (_, sides, number, _), faces in dice(lines).items())
    assert [each[:2] for each in thrown] == sorted((each.tally.sides, each.tally.dice) for each in told.dice)
    assert sum(sum(faces) for _, _, faces in thrown) == round(sum(s.tally.mean * s.tally.number for s in told.dice))
    assert sum(len(faces) for _, _, faces in thrown) == sum(each.tally.number for each in told.dice)
