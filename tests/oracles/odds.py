"""Odds counted out, face by face, to compare worked-out odds with."""

from itertools import product


def brute(rule, specs):
    """Odds the slow way: every face of every single die, each throw handed over when the rule asks for it.

    Returns {(outcome, word): share of all rolls} with shares out of the product of all sides.
    """
    counting_visits, every = {}, 1
    for spec in specs:
        every *= spec.sides**spec.number
    for faces in product(*(range(1, spec.sides + 1) for spec in specs for _ in range(spec.number))):
        faces_left, thrown = list(faces), {}
        for spec in specs:
            mine, faces_left = faces_left[: spec.number], faces_left[spec.number :]
            thrown[spec.name] = tuple(mine) if spec.read == "each" else sum(mine)
        dice = {}
        result = rule(dice)
        while result.outcome is None:
            dice[result.needs[0]] = thrown[result.needs[0]]
            result = rule(dice)
        key = (result.outcome.value, result.word)
        counting_visits[key] = counting_visits.get(key, 0) + 1
    return counting_visits, every


def same_odds(odds, counting_visits, every):
    """Whether odds agree with a count of all rolls, whatever their common total."""
    expected = {(row.outcome, row.label): row.weight * every for row in odds.rows}
    return expected == {key: number * odds.total for key, number in counting_visits.items()}
