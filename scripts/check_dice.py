#!/usr/bin/env python3
"""Check an exported log offline: its dice and its lines, with nothing but Python 3.9 or newer.

    python3 check_dice.py volga-0123456789ab.json [a digest or commitment that you noted]

Prints what it found. Exit status 0: everything fits. 1: something does not, or the file cannot be read.
2: nothing speaks against the log, but something cannot be checked yet, or there was nothing to check.
docs/dice.md describes what is checked; this file does that and nothing else. It knows no rules: whether the results
follow from the dice, with what they note in the record and what they are called, is for the app to check.
"""

import hashlib
import hmac
import json
import re
import sys

MOST_SIDES, MOST_ADDED = 1000, 100
MOST_PROBLEMS = 20
FORMAT, SCHEMA, OLDEST_SCHEMA = "volga-ledger log", 2, 1
SHORTEST_NOTE = 16
HIDDEN_FACE = 0  # of a die that is a side's secret
NO_LOG = "This is no log as the app exports it."
BEGINS = re.compile(
    r"(?:The match begins\.|This match) (?:.* )?Its dice are sealed (?:anew, )?as ([0-9a-f]{64})\.", re.S
)
UNWORKED = (
    "Not checked: whether the results follow from the dice, what they note in the record and what they are called by,"
    " which takes the rules. “Check dice” in the app does that."
)


# The derivation of dice, and the digests


def rolled_face(seed, number, sides):
    """The face of roll ``number`` on a die with that many sides."""
    limit = 2**32 - 2**32 % sides
    attempt = 0
    while True:
        digest = hmac.new(seed, b"%d:%d" % (number, attempt), hashlib.sha256).digest()
        for start in range(0, 32, 4):
            chunk = int.from_bytes(digest[start : start + 4], "big")
            if chunk < limit:
                return chunk % sides + 1
        attempt += 1


def sha256(value):
    """The digest of plain values: of their JSON, names in order, without blanks, in ASCII."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def line_digest(previous, line):
    """The digest of a line that follows the one with the digest ``previous``."""
    sealed = bool(line.get("secret"))
    is_hidden = sealed and has_unseen_dice(line)
    fixed = {
        "number": line["number"],
        "kind": line["kind"],
        "side": line["side"],
        "at": line["at"],
        "sentence": line["sentence"],
        "secret_digest": line.get("secret_digest", ""),
        "helper": line.get("helper", ""),
        "inputs": {} if sealed else line.get("inputs", {}),
        "result": None if is_hidden else line.get("result"),
        "rolls": [{**roll, "face": HIDDEN_FACE} if is_hidden else roll for roll in line["rolls"]],
        "about": line["about"],
        "voids": line.get("voids", []),
        "app": line.get("app", ""),
    }
    return sha256([previous, fixed])


def fits_secret(line):
    """Whether the sealed words of a line, if they are in it, are those that were sealed."""
    if "salt" not in line:
        return "secret" not in line
    secret, inputs = line.get("secret", ""), line.get("inputs", {})
    if secret and has_unseen_dice(line):
        inputs = {"inputs": inputs, "result": line.get("result"), "rolls": line["rolls"]}
    return sha256([line["salt"], secret, inputs if secret else {}]) == line.get("secret_digest")


def has_unseen_dice(line):
    """Whether the faces of a sealed line belong to its sealed words: of a roll, and where its dice say so."""
    return line["kind"] == "roll" or any("unseen" in roll for roll in line["rolls"])


def is_hidden_roll(line):
    """Whether a line is one whose faces, and of a roll its result, were withheld from whoever exported the log."""
    return "secret_digest" in line and "secret" not in line and has_unseen_dice(line)


# What a log looks like


def of_type(kind):
    """A check for values of exactly this type: true and false are not numbers."""
    return lambda value: type(value) is kind


def maybe(passes):
    """The same, or nothing."""
    return lambda value: value is None or passes(value)


def list_of(passes):
    """A list of only such values."""
    return lambda value: type(value) is list and all(map(passes, value))


def between(low, high):
    """A whole number between two bounds."""
    return lambda value: type(value) is int and low <= value <= high


def one_of(*values):
    """One of these values, of its type."""
    return lambda value: any(type(value) is type(allowed) and value == allowed for allowed in values)


def is_hex(value):
    """A digest, a commitment or a seed."""
    return type(value) is str and bool(re.fullmatch("[0-9a-f]{64}", value))


TEXT, LIST, TABLE, WHOLE = of_type(str), of_type(list), of_type(dict), between(0, 10**9 - 1)
SEAL = {"match": TEXT, "to": WHOLE, "commitment": is_hex, "seed": maybe(is_hex)}
HEAD = {
    "format": one_of(FORMAT),
    "schema": WHOLE,
    "match": TEXT,
    "game": TEXT,
    "name": TEXT,
    "chart_book": TEXT,
    "commitment": is_hex,
    "seed": maybe(is_hex),
    "rolls_made": WHOLE,
    "earlier_dice": list_of(lambda seal: fits(seal, SEAL)),
    "entries": LIST,
}
HEAD_MORE = {"app": TEXT, "digest": is_hex, "books": TABLE}
LINE = {
    "number": WHOLE,
    "kind": TEXT,
    "side": TEXT,
    "at": TEXT,
    "sentence": TEXT,
    "rolls": LIST,
    "about": maybe(WHOLE),
    "voided_by": maybe(WHOLE),
    "revealed_by": maybe(WHOLE),
}
CHAINED = {"digest": is_hex}
LINE_MORE = {
    "secret": TEXT,
    "salt": TEXT,
    "secret_digest": is_hex,
    "helper": TEXT,
    "inputs": TABLE,
    "result": maybe(TABLE),
    "voids": list_of(WHOLE),
    "app": TEXT,
}
DIE = {"die": TEXT, "label": TEXT, "sides": WHOLE, "face": WHOLE, "source": one_of("app", "table")}
DIE_MORE = {
    "number": WHOLE,
    "side": TEXT,
    "of": WHOLE,
    "dice": between(2, MOST_ADDED),
    "card": one_of(True),
    "unseen": one_of(True),
}


def fits(value, needed, optional=None):
    """Whether a value is a table with all the fields that it needs, each of its kind, and none that it may not have."""
    if type(value) is not dict:
        return False
    kinds = {**needed, **(optional or {})}
    if not needed.keys() <= value.keys() <= kinds.keys():
        return False
    return all(kinds[name](entry) for name, entry in value.items())


def is_line(line, needed):
    """Whether a value is a line of a log."""
    if not fits(line, needed, LINE_MORE) or not all(fits(roll, DIE, DIE_MORE) for roll in line["rolls"]):
        return False
    return all(map(is_numbered, line["rolls"]))


def is_numbered(roll):
    """Whether a die has a number if it is the app's, and only then; those of the app are never added up."""
    is_own = roll["source"] == "app"
    return ("number" in roll) == is_own and not ("dice" in roll and (is_own or "card" in roll))


def is_log(exported):
    """Whether a value is a log."""
    schema = exported.get("schema") if type(exported) is dict else None
    if type(schema) is not int or not OLDEST_SCHEMA <= schema <= SCHEMA:
        return False
    head, line = ({**HEAD, **HEAD_MORE}, {**LINE, **CHAINED}) if schema >= SCHEMA else (HEAD, LINE)
    return fits(exported, head) and all(is_line(entry, line) for entry in exported["entries"])


# The lines


def number_flaws(exported, lines, rolls):
    """Numbers that are missing or out of order, and dice that do not exist."""
    if [line["number"] for line in lines] != list(range(1, len(lines) + 1)):
        yield f"The numbers of the lines are not 1 to {len(lines)}, each once and in this order."
    rolls_made = exported["rolls_made"]
    if len(rolls) != rolls_made or [roll["number"] for roll in rolls] != list(range(1, rolls_made + 1)):
        yield f"The numbers of the rolls are not 1 to {rolls_made}, each once and in this order along the lines."
    for line in lines:
        for roll in line["rolls"]:
            sides, dice = roll["sides"], roll.get("dice", 1)
            is_hidden = is_hidden_roll(line) and roll["face"] == HIDDEN_FACE
            if not (1 if "card" in roll else 2) <= sides <= MOST_SIDES:
                yield f"Line {line['number']}: there is no die with {sides} sides."
            elif not (is_hidden or dice <= roll["face"] <= dice * sides):
                thrown = f"{dice} dice with {sides} sides do" if dice > 1 else f"a die with {sides} sides does"
                yield f"Line {line['number']}: {thrown} not show {roll['face']}."


def is_drawn(roll):
    """Whether the app drew a number for a die in the line where it stands."""
    return roll["source"] == "app" and "of" not in roll


def again_flaws(lines):
    """Dice repeated for a check that did not fall like that in a struck line, or that count in two lines."""
    by_number = {line["number"]: line for line in lines}
    counts = {
        (line["number"], roll["die"]): line["number"]
        for line in lines
        for roll in line["rolls"]
        if "of" not in roll and line["voided_by"] is None
    }
    for line in lines:
        for of, die in dict.fromkeys((roll["of"], roll["die"]) for roll in line["rolls"] if "of" in roll):
            origin = by_number.get(of) if of < line["number"] else None
            thrown = read_throw(line["rolls"], die, of)
            # All dice of a throw are repeated, or the last ones if it was made twice in its line.
            if thrown != read_throw(origin["rolls"] if origin else (), die)[-len(thrown) :]:
                yield f"Line {line['number']}: the die that stands again did not fall so in line {of}."
            if line["voided_by"] is None and (counts.setdefault((of, die), line["number"]) != line["number"]):
                yield f"Line {line['number']}: the die that stands again still counts in line {counts[of, die]}."


def read_throw(rolls, die, of=None):
    """The dice of one name in a line as they fell; with ``of`` only those repeated from that line."""
    of_die = [roll for roll in rolls if roll["die"] == die and of in (None, roll.get("of"))]
    return [{name: value for name, value in roll.items() if name not in ("of", "label")} for roll in of_die]


def chain_flaws(lines, last):
    """Lines that have changed or moved since they were written."""
    previous = ""
    for line in lines:
        if line_digest(previous, line) != line["digest"]:
            yield f"Line {line['number']} was changed, or does not follow the line before it: its digest does not fit."
        if not fits_secret(line):
            yield f"Line {line['number']}: its sealed words are not those that were sealed."
        previous = line["digest"]
    if previous != last:
        yield "The digest of the whole log is not that of its last line."


def standing(lines):
    """By which line each was struck, and by which it was opened, as these say; a line taken back strikes none."""
    struck, opened, strikes, opens = {}, {}, {}, {}
    for line in lines:
        number, voids = line["number"], line.get("voids", [])
        for undone in voids if line["kind"] == "take_back" else ():
            for struck_line in strikes.pop(undone, ()):
                if struck.get(struck_line) == undone:
                    del struck[struck_line]
            struck_line = opens.pop(undone, None)
            if struck_line is not None and opened.get(struck_line) == undone:
                del opened[struck_line]
        for struck_line in voids:
            struck[struck_line] = number
        strikes[number] = voids
        if line["kind"] == "reveal" and line["about"] is not None:
            opened[line["about"]], opens[number] = number, line["about"]
    return struck, opened


def standing_flaws(lines):
    """Lines that say they were struck or opened by a line that does not say so, or the other way round."""
    struck, opened = standing(lines)
    for line in lines:
        number = line["number"]
        if line["voided_by"] != struck.get(number):
            yield f"Line {number}: whether it still stands does not agree with the later lines."
        if line["revealed_by"] != opened.get(number):
            yield f"Line {number}: whether it was revealed does not agree with the later lines."


# The seals


def beginnings(lines):
    """The lines that begin a match, each with its commitment and what it says about the match."""
    beginnings_found = []
    for line in lines:
        match = line["kind"] == "seat" and line["side"] == "" and BEGINS.fullmatch(line["sentence"])
        if match:
            beginnings_found.append((line["number"], match.group(1), line.get("inputs", {})))
    return beginnings_found


def read_spans(exported, lines, begun):
    """Which rolls belong to which match: first, last, commitment and seed of each, as the lines say."""
    opened = {seal["commitment"]: seal["seed"] or "" for seal in [*exported["earlier_dice"], exported]}
    starts = {line: commitment for line, commitment, _ in begun}
    spans, commitment, rolled, first = [], None, 0, 1
    for line in lines:
        if line["number"] in starts:
            if commitment:
                spans.append((first, rolled, commitment, opened.get(commitment, "")))
            commitment, first = starts[line["number"]], rolled + 1
        rolled += sum(map(is_drawn, line["rolls"]))
    if commitment:
        spans.append((first, rolled, commitment, opened.get(commitment, "")))
    return [span for span in spans if span[1] >= span[0]]


def head_flaws(exported, lines, begun):
    """Where the head of the log contradicts its lines."""
    if not begun or begun[0][0] != 1 or begun[-1][1] != exported["commitment"]:
        yield "The log's lines tell of another beginning of the match than its head: another commitment, or none."
    last, head = (begun[-1][0], begun[-1][2]) if begun else (0, {})
    for name in ("match", "game", "name"):
        if name in head and head[name] != exported[name]:
            yield f"The log's lines tell of another {name} than its head."
    if pinned_last(lines) not in ("", exported["chart_book"]):
        yield "The log's lines tell of other charts than its head."
    for name, data in exported.get("books", {}).items():
        if hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest() != name:
            yield "The charts in the file are not those that it names."
    has_ended = any(line["kind"] == "end" and line["voided_by"] is None and line["number"] > last for line in lines)
    if has_ended and not exported["seed"]:
        yield "The log says that the match has ended, but its seed is missing."


def pinned_last(lines):
    """The charts that were pinned last, "" where no line says so."""
    pinned = ""
    for line in lines:
        if line["kind"] == "book" and line["voided_by"] is None or line["kind"] == "seat" and line.get("inputs"):
            pinned = line.get("inputs", {}).get("book", "")
    return pinned


def seal_flaws(exported, begun, spans):
    """Seeds that do not fit, and seals of earlier matches that the lines do not mention."""
    for seal in [*exported["earlier_dice"], exported]:
        if seal["seed"] and hashlib.sha256(bytes.fromhex(seal["seed"])).hexdigest() != seal["commitment"]:
            yield f"A seed does not fit the commitment that was published at the start, {seal['commitment']}."
    seals = [(last, sealed_as) for _, last, sealed_as, _ in spans if sealed_as != exported["commitment"]]
    if [(seal["to"], seal["commitment"]) for seal in exported["earlier_dice"]] != seals:
        yield "The seals of earlier matches do not agree with what the log's lines say of their beginnings."
    names = {commitment: head.get("match") for _, commitment, head in begun}
    for seal in exported["earlier_dice"]:
        if names.get(seal["commitment"]) not in (None, seal["match"]):
            yield f"The seal of match {seal['match']} is that of another match."


def roll_flaw(seed, roll):
    """What is wrong with one roll, "" when nothing is."""
    number, sides, face = roll["number"], roll["sides"], roll["face"]
    if not 1 <= sides <= MOST_SIDES:
        return ""
    derived = rolled_face(seed, number, sides)
    return "" if derived == face else f"Roll {number}: the log says {face}, the seed gives {derived}."


# What cannot be checked


def count_of(number, noun):
    """A number with its noun."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def notes(exported, lines, rolls_made, sealed):
    """What was not checked, and why."""
    if not rolls_made:
        yield "The app has rolled no dice in this log, so there are none to check."
    if sealed:
        yield f"{count_of(sealed, 'roll')} cannot be checked yet: the seed is still sealed."
    if exported["schema"] < SCHEMA:
        yield "The lines have no digests, since an older version wrote this log: a changed line would not show."
    hidden = sum(len(line["rolls"]) for line in exported["entries"] if is_hidden_roll(line))
    if hidden:
        yield f"What came of {count_of(hidden, 'roll')} is a side's secret: only its own log can show it."
    withheld = sum("secret_digest" in line and "salt" not in line for line in lines)
    if withheld:
        yield f"Sealed words that cannot be read here may stand in {count_of(withheld, 'line')}; they have not changed."


def compare_note(lines, begun, noted):
    """What a digest or a commitment that somebody noted says about the log: notes, and problems."""
    digest = "".join(noted.split()).lower()
    if not digest:
        return [], []
    if not re.fullmatch(f"[0-9a-f]{{{SHORTEST_NOTE},64}}", digest):
        return [], [f"What you noted is no digest: give at least its first {SHORTEST_NOTE} letters and digits."]
    for line in lines:
        if line.get("digest", "").startswith(digest):
            return [f"You noted the digest of line {line['number']}: up to there nothing has changed since."], []
    if any(commitment.startswith(digest) for _, commitment, _ in begun):
        return ["You noted a commitment that this log begins with."], []
    return [], ["No line of this log has the digest that you noted, and no match in it that commitment."]


# All together


def report(checked=0, problems=(), sealed=0, notes=(), spans=(), lines=0, digest=""):
    """What a check found, by name."""
    more = [f"And {len(problems) - MOST_PROBLEMS} more."] if len(problems) > MOST_PROBLEMS else []
    return {
        "checked": checked,
        "problems": [*problems[:MOST_PROBLEMS], *more],
        "sealed": sealed,
        "notes": list(notes),
        "spans": list(spans),
        "lines": lines,
        "digest": digest,
    }


def check(exported, noted=""):
    """Check all that can be checked without the rules."""
    try:
        return check_log(exported, noted) if is_log(exported) else report(problems=[NO_LOG])
    except RecursionError:
        return report(problems=[NO_LOG])


def check_log(exported, noted):
    """Check a log whose shape is sound."""
    lines = exported["entries"]
    rolls = [roll for line in lines for roll in line["rolls"] if is_drawn(roll)]
    begun = beginnings(lines)
    spans = read_spans(exported, lines, begun)
    is_chained = exported["schema"] >= SCHEMA
    problems = [*number_flaws(exported, lines, rolls), *again_flaws(lines)]
    if is_chained:
        problems += chain_flaws(lines, exported["digest"])
        problems += standing_flaws(lines)
    problems += head_flaws(exported, lines, begun)
    problems += seal_flaws(exported, begun, spans)
    seeds = {n: bytes.fromhex(seed) for first, last, _, seed in spans if seed for n in range(first, last + 1)}
    compared = [roll for roll in rolls if roll["number"] in seeds and roll["face"] != HIDDEN_FACE]
    problems += [flaw for flaw in (roll_flaw(seeds[roll["number"]], roll) for roll in compared) if flaw]
    matches, missed = compare_note(lines, begun, noted)
    problems += missed
    sealed = len(rolls) - len(compared) - sum(roll["face"] == HIDDEN_FACE for roll in rolls)
    all_notes = [*matches, *notes(exported, lines, len(rolls), sealed)]
    return report(
        len(compared), problems, sealed, all_notes, spans, len(lines), exported["digest"] if is_chained else ""
    )


def describe(result):
    """The lines to print for a check without problems."""
    if result["digest"]:
        yield f"Each of the {count_of(result['lines'], 'line')} follows the one before; the digest of the whole log is"
        yield result["digest"]
    for first, last, commitment, seed in result["spans"]:
        fit = "fit the seed, and the seed fits the commitment"
        yield f"Rolls {first} to {last} of the app {fit if seed else 'cannot be checked yet; their commitment is'}"
        yield commitment
    if result["checked"] and not result["sealed"]:
        yield f"Checked {count_of(result['checked'], 'roll')} of the app: all fit."
    else:
        yield f"Checked {result['checked']} of {count_of(result['checked'] + result['sealed'], 'roll')} of the app."
    yield from result["notes"]
    yield UNWORKED
    yield "Compare the commitments and the digest with what you noted while you played."


def main(arguments):
    """Check the file named; returns the exit status."""
    if len(arguments) not in (1, 2):
        print("Give one file, the log of a match as the app exports it; then, if you like, a digest that you noted.")
        return 1
    try:
        with open(arguments[0], "rb") as file:
            exported = json.loads(file.read())
    except OSError as error:
        print(f"The file cannot be read: {error.strerror}.")
        return 1
    except (ValueError, RecursionError):
        print("That is not a JSON file.")
        return 1
    result = check(exported, *arguments[1:])
    for line in result["problems"] or describe(result):
        print(line)
    if result["problems"]:
        return 1
    return 0 if result["checked"] and result["digest"] and not result["sealed"] else 2


if __name__ == "__main__":
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    sys.exit(main(sys.argv[1:]))
