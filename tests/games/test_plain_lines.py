"""What a hand sets of any game's record is told in words: of every field, of every part of its rows, each value."""

import re
from itertools import pairwise

import pytest

from firefight.engine.record import (
    BadValue,
    KeptChoice,
    KeptDay,
    KeptDeck,
    KeptFlag,
    KeptHand,
    KeptList,
    KeptNumber,
    KeptParts,
    KeptPlace,
    KeptRows,
)
from firefight.games import registry
from firefight.games.combat_stalingrad.rules.ground import TERRAIN
from firefight.table.board import record
from tests.firefight.players import begin

pytestmark = pytest.mark.django_db
PLACES = ("K9", "L10", "12", "13", "Mill", "Ford", "1843", "1844")
RECORDS = (r"[a-z]{3}-\d", "_", r"\b(yes|no|True|False|None)\b[.,;]", r"[\[\]{}]", r"\b(added|removed) \w")


def find_places(field):
    for place in PLACES:
        try:
            yield field.read(place)
        except BadValue:  # another game's place
            continue


def values_for(field):
    """Values that a field may have, more than one where there are more."""
    match field:
        case KeptNumber():
            return [field.low, field.low + 1, field.high]
        case KeptFlag():
            return [False, True]
        case KeptChoice():
            return list(field.choices)
        case KeptDay():
            return [field.first, field.last]
        case KeptPlace():
            return list(find_places(field))
        case KeptParts():
            options = [values_for(part) for part in field.fields]
            return [{p.name: v[at % len(v)] for p, v in zip(field.fields, options, strict=True)} for at in range(3)]
        case KeptHand():
            return [[], *([card] for card in field.deck.cards)]
        case KeptList():
            choices = sorted(TERRAIN) if field.name == "modifiers" else values_for(field.item)[:2]
            return [[], choices, choices[1:]]
        case KeptDeck():
            return [field.default]
        case _:
            return ["", "Old mill", "The other"]


def plain_line(match, path, old, new):
    change = record.declare_all(match).setting(path, new)
    return record.describe_setting(match, path, change, old, new).removeprefix("By hand").strip(",. ")


def told_of_fields(match):
    for field in (field for field in record.declare_all(match).fields if field.by_hand):
        if isinstance(field, KeptRows):
            yield from told_of_rows(match, field)
            continue
        parts = field.fields if isinstance(field, KeptParts) else ()
        for path, leaf in [(f"{field.name}.{part.name}", part) for part in parts] or [(field.name, field)]:
            yield from (plain_line(match, path, old, new) for old, new in pairwise(values_for(leaf)))


def told_of_rows(match, field):
    own = "german-1" if field.owner else "4"  # rows without a side of their own are numbered as the map has them
    id = next(find_places(KeptPlace(places=field.places)), "") if field.places else own
    place = {part.name: values_for(part)[0] for part in field.parts if part.name == "hex"}
    for part in field.parts:
        if part.name in (field.owner, "hex") or not part.by_hand:
            continue
        for old, new in pairwise(values_for(part)):
            row = {**place, part.name: old}
            yield plain_line(match, field.name, {}, {"add": {id: {**place, part.name: new}}})
            yield plain_line(match, field.name, {id: row}, {"change": {id: {part.name: new}}})
            yield plain_line(match, field.name, {id: row}, {"strike": [id]})


@pytest.mark.parametrize("slug", registry.games())
def test_no_line_about_a_record_reads_like_one(slug):
    player, _ = begin(game=slug)
    lines = list(told_of_fields(player.match))
    assert lines
    bad = [line for line in lines if not line or any(re.search(pattern, line) for pattern in RECORDS)]
    assert not bad, bad[:20]
