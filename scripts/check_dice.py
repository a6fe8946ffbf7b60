#!/usr/bin/env python3
"""Check the dice of an exported log, offline, with nothing but Python 3.9 or newer.

    python3 check_dice.py volga-0123456789ab.json

Prints what it found. Exit status 0: every roll fits. 1: something does not, or the file cannot be read.
docs/dice.md describes how a roll follows from the seed; this file does that and nothing else.
"""

import hashlib
import hmac
import json
import sys

MOST_SIDES = 1000
MOST_PROBLEMS = 20


def rolled_face(seed, number, sides):
    """The face of roll ``number`` on a die with so many sides."""
    limit = 2**32 - 2**32 % sides
    attempt = 0
    while True:
        digest = hmac.new(seed, b"%d:%d" % (number, attempt), hashlib.sha256).digest()
        for start in range(0, 32, 4):
            chunk = int.from_bytes(digest[start : start + 4], "big")
            if chunk < limit:
                return chunk % sides + 1
        attempt += 1


def whole(value):
    """The value, if it is a whole number. Raises TypeError otherwise."""
    if type(value) is not int:
        raise TypeError
    return value


def flaw(seed, number, sides, face):
    """What is wrong with one roll, "" when nothing is."""
    if not 2 <= sides <= MOST_SIDES:
        return f"Roll {number}: there is no die with {sides} sides."
    derived = rolled_face(seed, number, sides)
    return "" if derived == face else f"Roll {number}: the log says {face}, the seed gives {derived}."


def check(exported):
    """How many rolls were checked, everything that does not fit, and how many an earlier match still seals."""
    try:
        seed = bytes.fromhex(exported["seed"] or "")
        rolls = [
            (whole(roll["number"]), whole(roll["sides"]), whole(roll["face"]))
            for entry in exported["entries"]
            for roll in entry["rolls"]
            if roll.get("source") == "app"
        ]
        published, made = exported["commitment"], whole(exported["rolls_made"])
        earlier = [
            (whole(seal["to"]), bytes.fromhex(seal["seed"] or ""), seal["commitment"])
            for seal in exported.get("earlier_dice", ())
        ]
    except (LookupError, TypeError, ValueError, AttributeError):
        return 0, ["This is no exported log, or its match has not ended."], 0
    if not seed:
        return 0, ["The match has not ended: its seed is still sealed."], 0
    problems = []
    if hashlib.sha256(seed).hexdigest() != published:
        problems.append("The seed does not fit the commitment that was published at the start.")
    for last, opened, sealed_as in earlier:
        if opened and hashlib.sha256(opened).hexdigest() != sealed_as:
            problems.append(f"The seed of the rolls up to {last}, of an earlier match, does not fit its commitment.")
    if len(rolls) != made or {number for number, _, _ in rolls} != set(range(1, len(rolls) + 1)):
        problems.append(f"The numbers of the rolls are not 1 to {made}, each once.")
    # Up to the last roll of an earlier match its seed counts; a seed that is not open says nothing yet.
    seeds = {roll[0]: next((opened for last, opened, _ in earlier if roll[0] <= last), seed) for roll in rolls}
    compared = [(seeds[roll[0]], roll) for roll in rolls if seeds[roll[0]]]
    problems += [told for told in (flaw(found, *roll) for found, roll in compared) if told]
    if len(problems) > MOST_PROBLEMS:
        problems[MOST_PROBLEMS:] = [f"And {len(problems) - MOST_PROBLEMS} more."]
    return len(compared), problems, len(rolls) - len(compared)


def main(arguments):
    """Check the file named; returns the exit status."""
    if len(arguments) != 1:
        print("Give one file: the log of an ended match, as the app exports it.")
        return 1
    try:
        with open(arguments[0], "rb") as file:
            exported = json.loads(file.read())
    except OSError as error:
        print(f"The file cannot be read: {error.strerror}.")
        return 1
    except (ValueError, RecursionError):
        print("That is no JSON file.")
        return 1
    checked, problems, sealed = check(exported)
    for problem in problems:
        print(problem)
    if problems:
        return 1
    print(
        f"Checked {checked} of {checked + sealed} rolls of the app: all fit the seed, and the seed fits the commitment"
    )
    print(exported["commitment"])
    if sealed:
        print(f"The other {sealed} were made in an earlier match, whose seed is not in this file.")
    print("Compare this with the one that you noted when the match began.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
