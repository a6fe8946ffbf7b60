"""What a report counts, counted again from a match's exported log alone: who fell to what, how the dice fell, and how
likely the attacks of sector combat were.

Written from what log.json says about itself (docs/dice.md), line by line, with nothing of the app but the names of its
rolls' groups. ``check_story`` compares the report with it.
"""

import re
import tomllib
from collections import Counter
from math import isclose, prod
from pathlib import Path

from firefight.games import registry
from firefight.table.log import reading
from firefight.table.story import report

HARM = {"reduced", "wounded", "m_killed", "f_killed", "eliminated"}


def standing(lines):
    """The lines that nothing has struck."""
    return [line for line in lines if not line["voided_by"]]


def root_of(line, rolls):
    """The roll that began it all: up by what each line answers, or is about."""
    answered = str(line.get("due") or "").split("-")[0]
    above = int(answered) if answered else line["about"] if line["kind"] == "counter" else None
    if above not in rolls:
        return line if line["kind"] == "roll" else None
    return root_of(rolls[above], rolls)


def losses(lines, dues):
    """How often each harm came to each side by each cause: {(side, harm, cause): times}.

    ``dues``: by number, which step of which line a roll answered; the exported log does not say.
    """
    lines = [{**line, "due": dues.get(line["number"], "")} for line in standing(lines)]
    rolls = {line["number"]: line for line in lines if line["kind"] == "roll"}
    fallen, times = {}, Counter()
    for line in lines:
        inputs = line.get("inputs", {})
        for counter, words in inputs.get("befell", {}).items():
            for word in words:
                if word == "eliminated":
                    fallen[counter] = inputs["cause"]
                elif word in HARM:
                    times[counter.split("-")[0], word, inputs["cause"]] += 1
        for counter, changes in inputs.get("counters", {}).items() if line["kind"] == "counter" else ():
            root = root_of(line, rolls)
            cause = root["helper"] if root else ""
            old_fate, new_fate = changes.get("fate", ["", ""])
            if new_fate == "eliminated":
                fallen[counter] = cause
            elif old_fate and not new_fate:
                fallen.pop(counter, None)
            before, after = changes.get("state", [[], []])
            for word in set(after) - set(before):
                if word in HARM:
                    times[counter.split("-")[0], word, cause] += 1
    for counter, cause in fallen.items():
        times[counter.split("-")[0], "eliminated", cause] += 1
    return times


def turns(lines, dues, judged):
    """By how many counters each roll, with what followed from it, differed from its odds: {its line: change}.

    ``judged``: the chance of what each roll came to or beyond, as (line, tail); odds are checked elsewhere.
    """
    lines = [{**line, "due": dues.get(line["number"], "")} for line in standing(lines)]
    by_number, tails = {line["number"]: line for line in lines}, dict(judged)

    def climb(line):
        answered = str(line.get("due") or "").split("-")[0]
        above = int(answered) if answered else line["about"] if line["kind"] == "counter" else None
        return [line["number"], *(climb(by_number[above]) if above in by_number else [])]

    change_of = {climb(by_number[number])[-1]: 0 for number, _ in judged}
    fallen = {}
    for line in lines:
        path = climb(line)
        surprise = 1 - prod(tails.get(number, 1) for number in path)
        for counter, changes in line.get("inputs", {}).get("counters", {}).items() if line["kind"] == "counter" else ():
            old_fate, new_fate = changes.get("fate", ["", ""])
            if new_fate == "eliminated":
                fallen[counter] = path[-1], surprise
            elif old_fate and not new_fate:
                fallen.pop(counter, None)
            before, after = changes.get("state", [[], []])
            for _ in (set(after) - set(before)) & HARM:
                change_of[path[-1]] = change_of.get(path[-1], 0) + surprise / 2
    for root, surprise in fallen.values():
        change_of[root] = change_of.get(root, 0) + surprise
    return {root: change for root, change in change_of.items() if root in {climb(by_number[n])[-1] for n, _ in judged}}


def dice(lines):
    """Every die that counts: {(side, sides, source): faces}."""
    faces = {}
    for line in lines:
        for die in line["rolls"]:
            again = die["source"] == "app" and "of" in die
            counts = not line["voided_by"] or die["source"] == "app"
            if counts and not again and not die.get("card") and die["face"]:
                key = (die.get("side", line["side"]), die["sides"], die.get("dice", 1), die["source"])
                faces.setdefault(key, []).append(die["face"])
    return faces


ATTACK = re.compile(r"(No effect|C|E): (-?\d+) on (\d-\d) \(\d+ against \d+\)\.")
BOOK = Path(__file__).resolve().parents[2] / "firefight/games/combat_stalingrad/data/chartbook.toml"


def attacks(lines):
    """The attacks of sector combat by the chart in the file: (line, side, chances of the result, and of it or beyond).

    A face counts for the first row of the chart that holds it; what none holds has no effect.
    """
    head, *rows = tomllib.loads(BOOK.read_text())["charts"]["cct"]["grid"].strip().splitlines()
    for line in standing(lines):
        if line["kind"] != "ledger":
            continue
        dice = [die for die in line["rolls"] if die["sides"] == 100 and die["die"].startswith(("attack", "defense"))]
        for die, (word, modified, column) in zip(dice, ATTACK.findall(line["sentence"]), strict=True):
            place = head.split().index(column)
            limits = {row.split()[0]: int(row.split()[place]) for row in rows}
            drm, counts = int(modified) - die["face"], Counter()
            for face in range(1, 101):
                counts[next((result for result in ("E", "C") if face + drm <= limits[result]), "No effect")] += 1
            order = ["E", "C", "No effect"]
            at = order.index(word)
            low = sum(counts[result] for result in order[: at + 1])
            high = sum(counts[result] for result in order[at:])
            if counts[word] < 100:
                yield line["number"], die["side"], counts[word], min(low, high)


def check_story(match):
    """The report's losses, with its charts of them, its dice, and its rolls of sector combat with their chances are
    those that are counted here; its turning points are the ten that changed most.
    """
    sees = ("german", "russian")
    lines = reading.export_log(match, sees)["entries"]
    dues = dict(match.log.values_list("number", "due"))
    groups = {slug: helper.group for slug, helper in registry.helpers(match.game).items()}
    fell, hurt = Counter(), Counter()
    for (side, harm, cause), times in losses(lines, dues).items():
        counted = fell if harm == "eliminated" else hurt
        counted[side, groups.get(cause, cause or "told by hand")] += times
    story = report.read_story(match, sees)
    assert {(loss.side, loss.cause): loss.fell for loss in story.losses if loss.fell} == fell
    assert {(loss.side, loss.cause): loss.hurt for loss in story.losses if loss.hurt} == hurt
    for chart in story.charts:
        if chart.title.startswith("Counters that fell"):
            for series in chart.series:
                assert sum(series.values) == sum(n for (side, _), n in fell.items() if side == series.name.lower())
    thrown = sorted((sides, number, sorted(faces)) for (_, sides, number, _), faces in dice(lines).items())
    assert [thrown_dice[:2] for thrown_dice in thrown] == sorted(
        (dice_row.tally.sides, dice_row.tally.dice) for dice_row in story.dice
    )
    assert sum(sum(faces) for _, _, faces in thrown) == round(sum(s.tally.mean * s.tally.number for s in story.dice))
    assert sum(len(faces) for _, _, faces in thrown) == sum(dice_row.tally.number for dice_row in story.dice)
    fought = [judged_roll for judged_roll in story.judged if judged_roll.line.kind == "ledger"]
    rolls_judged = sorted(
        (attack.line.number, attack.side, round(100 * attack.share), round(100 * attack.tail)) for attack in fought
    )
    assert rolls_judged == sorted(attacks(lines))
    at_table = [
        (judged_roll.line.number, judged_roll.tail) for judged_roll in story.judged if judged_roll.line.kind == "roll"
    ]
    counted = turns(lines, dues, at_table)
    for attack in fought:
        counted[attack.line.number] = counted.get(attack.line.number, 0) + attack.cost * (1 - attack.tail)
    reported = {point.number: point.change for point in story.turned}
    assert reported.keys() == counted.keys()
    assert all(isclose(reported[number], counted[number], abs_tol=1e-9) for number in reported)
    points = [point.change for point in story.turning_points]
    ranked = sorted(reported.values(), reverse=True)
    assert points == ([change for change in ranked if change > 0] or ranked)[:10]
