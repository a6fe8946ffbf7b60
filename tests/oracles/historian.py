"""What a report counts, counted again from a match's exported log alone: who fell of what, and how the dice fell.

Written from what log.json says of itself (docs/dice.md), line by line, with nothing of the app.
"""

from collections import Counter

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
