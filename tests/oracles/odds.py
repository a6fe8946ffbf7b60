"""Odds counted out, face by face, to hold those against that are worked out."""

from itertools import product


def brute(rule, specs):
    """Odds the slow way: every face of every die, each die handed over when the rule asks for it.

    Returns {(outcome, word): share of all rolls} with shares out of the product of all sides.
    """
    counted, every = {}, 1
    for spec in specs:
        every *= spec.sides
    for faces in product(*(range(1, spec.sides + 1) for spec in specs)):
        waiting = dict(zip((spec.name for spec in specs), faces, strict=True))
        dice = {}
        result = rule(dice)
        while result.outcome is None:
            dice[result.needs[0]] = waiting[result.needs[0]]
            result = rule(dice)
        key = (result.outcome.value, result.word)
        counted[key] = counted.get(key, 0) + 1
    return counted, every


def same_odds(odds, counted, every):
    """Whether odds say what a count of all rolls says, whatever their common total."""
    told = {(row.outcome, row.label): row.weight * every for row in odds.rows}
    return told == {key: number * odds.total for key, number in counted.items()}
