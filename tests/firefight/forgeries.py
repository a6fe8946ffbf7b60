"""Single changes of an exported log, made at random: of what it says, of the order of its lines, of its seals."""

import json

# What a file may lack without being a forgery: another version's name, charts that the app may hold itself.
FREE = ("app", "books")


def forged(random, log):
    """A copy of a log with one change that no honest log can have, and what was done, in words."""
    while True:
        copy = json.loads(json.dumps(log))
        description = random.choice(CHANGES)(random, copy)
        if description and copy != log:
            return copy, description


def change_value(random, log):
    """Another value somewhere."""
    place, key, path = somewhere(random, log)
    value = place[key]
    if isinstance(value, (dict, list)):
        return ""
    place[key] = another(random, value)
    return f"{path}: {value!r} became {place[key]!r}"


def another(random, value):
    """Another value of the same kind."""
    if isinstance(value, bool) or value is None:
        return random.choice([1, "x"]) if value is None else not value
    if isinstance(value, int):
        return max(value + random.choice([-1, 1, 10]), 0) if value else 1
    if isinstance(value, str) and value and all(letter in "0123456789abcdef" for letter in value):
        return value[:-1] + ("0" if value[-1] != "0" else "1")
    return random.choice([f"{value}.", f"{value}x", "K9", value[1:]]) if value else "x"


def drop_key(random, log):
    """A field left out."""
    place, key, path = somewhere(random, log)
    # Words that are withheld, charts that are left out, and nothing left out of nothing are honest.
    if not isinstance(place, dict) or key in ("secret", "salt", "app", "books") or path.startswith("books"):
        return ""
    del place[key]
    return f"{path} left out"


def add_key(random, log):
    """A field that was not there."""
    place, _, path = somewhere(random, log)
    if not isinstance(place, dict):
        return ""
    place["extra"] = 1
    return f"a field added beside {path}"


def somewhere(random, log):
    """A table or list in a log, a key in it, and how to get there."""
    place, path = log, []
    key = random.choice([name for name in log if name not in FREE and log[name] not in ([], {})])
    while True:
        path.append(str(key))
        below = place[key]
        if not isinstance(below, (dict, list)) or not below or random.random() < 0.05:
            return place, key, ".".join(path)
        place, key = below, random.choice(list(below) if isinstance(below, dict) else range(len(below)))


def drop_line(random, log):
    """A line left out; the later ones may be renumbered."""
    lines = log["entries"]
    number = random.randrange(len(lines))
    del lines[number]
    return f"line {number + 1} left out{renumber(random, lines)}"


def double_line(random, log):
    """A line that appears twice."""
    lines = log["entries"]
    number, to = random.randrange(len(lines)), random.randrange(len(lines) + 1)
    lines.insert(to, dict(lines[number]))
    return f"line {number + 1} copied to {to + 1}{renumber(random, lines)}"


def move_line(random, log):
    """A line at another place."""
    lines = log["entries"]
    number, to = random.randrange(len(lines)), random.randrange(len(lines))
    lines.insert(to, lines.pop(number))
    return f"line {number + 1} moved to {to + 1}{renumber(random, lines)}"


def renumber(random, lines):
    """Renumber the lines, or leave the gap."""
    if random.random() < 0.5:
        return ""
    for number, line in enumerate(lines, 1):
        line["number"] = number
    return ", lines numbered anew"


def swap(name):
    """Two lines exchange what they have under a name."""

    def swapped(random, log):
        having = [line for line in log["entries"] if line.get(name)]
        if len(having) < 2:
            return ""
        one, other = random.sample(having, 2)
        one[name], other[name] = other[name], one[name]
        return f"lines {one['number']} and {other['number']} exchange {name}"

    return swapped


def call_it_a_table_die(random, log):
    """A roll of the app passed off as a real die."""
    rolls = [roll for line in log["entries"] for roll in line["rolls"] if roll["source"] == "app"]
    if not rolls:
        return ""
    roll = random.choice([*rolls, *[rolls[-1]] * 3])
    number = roll.pop("number")
    roll["source"] = "table"
    log["rolls_made"] -= random.choice([0, 1])
    return f"roll {number} called a die of the table"


def change_marks(random, log):
    """A line that is struck, stands again, or was opened by another."""
    line = random.choice(log["entries"])
    mark = random.choice(["voided_by", "revealed_by", "about"])
    line[mark] = random.choice([None, *range(1, len(log["entries"]) + 1)])
    return f"line {line['number']}: {mark} {line[mark]}"


def change_voids(random, log):
    """A line that strikes others than it did."""
    line = random.choice(log["entries"])
    line["voids"] = [*line.get("voids", []), random.randint(1, len(log["entries"]))][random.choice([0, 1]) :]
    return f"line {line['number']}: voids {line['voids']}" if line["voids"] else ""


def change_seals(random, log):
    """A seal of an earlier match that is added, left out, or reaches elsewhere."""
    seals = log["earlier_dice"]
    if seals and random.random() < 0.3:
        del seals[random.randrange(len(seals))]
        return "a seal left out"
    to = random.randint(0, log["rolls_made"] + 1)
    if seals and random.random() < 0.5:
        random.choice(seals)["to"] = to
        return f"a seal moved to roll {to}"
    seals.insert(
        random.randint(0, len(seals)),
        {"match": "before", "to": to, "commitment": random.choice(["0" * 64, log["commitment"]]), "seed": None},
    )
    return f"a seal added up to roll {to}"


CHANGES = [
    *[change_value] * 8,
    drop_key,
    add_key,
    drop_line,
    double_line,
    move_line,
    *map(swap, ("rolls", "sentence", "result", "inputs", "at", "digest", "voided_by", "side")),
    call_it_a_table_die,
    change_marks,
    change_voids,
    change_seals,
]
