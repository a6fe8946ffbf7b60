"""Random fire of every kind through the page's own form in a match, against the second Battle (tests/oracles)."""

import json
import random

import pytest

from firefight.table.rolling import replay
from tests.filling import Reader
from tests.firefight import players
from tests.oracles import battle_for_stalingrad as oracle
from tests.soak import length, seeds

from . import GAME
from .test_against_the_oracle import KINDS, SIDES, TERRAINS, random_firer, some

pytestmark = [pytest.mark.django_db, pytest.mark.soak]
MARKS = {"1": "", "2": "d", "3": "t", "0.5": "h", "0.25": "q"}


def think_up(rng):
    """A fire as somebody might fill it in; the last of its lists may be empty."""
    fields = some(
        rng, kind=[*KINDS, "ground_attack", "ground_attack"], terrain=["", *TERRAINS], occupant=SIDES, engineer=bool,
        adjacent=[True, False], drm=[-3, 0, 2], rounding=["ask", "down", "up", "nearest"], defence=["", "", *SIDES],
        strength=[None, 1, 2, 11, 72, 300],
    )  # fmt: skip
    return {**fields, "firers": [random_firer(rng) for _ in range(rng.choice([0, 0, 1, 2, 5]))]}


def type_firers(firers):
    """A list as players type it in a line: 6 4h 8i."""
    return " ".join(
        f"{firer['strength']}{MARKS[firer.get('factor', '1')]}{'i' * firer.get('indirect', 0)}" for firer in firers
    )


def fire(reader, player, fields, die):
    """Fill in the page's form and resolve it; the new line of the log, None where the page refuses or asks first."""
    lines = len(player.log)
    form = reader.open(f"/match/{player.match_id}/roll/combat/").form("#desk-form")
    typed = {name: value for name, value in fields.items() if name != "firers" and value not in (None, False)}
    form.fill({**typed, **({"firers-short": type_firers(fields["firers"])} if fields["firers"] else {})})
    form = reader.form("#desk-form")
    form.fill(**({"die": die} if "die" in form.names() else {})).press("Resolve")
    return next((line for line in player.log[lines:] if line.helper == "combat"), None)


@pytest.mark.parametrize("seed", seeds(1, 10))
def test_random_fire_on_the_page_comes_to_what_the_sheet_says(seed):
    rng = random.Random(f"fire on the page {seed}")
    player, _ = players.begin("german", game=GAME, hot_seat=True)
    reader, outcomes = Reader(player.client), set()
    for _ in range(length(60, 200)):
        fields, die = think_up(rng), rng.randint(1, 6)
        expected, line = oracle.combat(fields, die), fire(reader, player, fields, die)
        if not isinstance(expected, dict):
            assert line is None, (fields, expected)
            words = {"rounding": "Is that", "strength": "Give the", "firers": "below 1", None: "14.41"}[expected]
            outcomes.add(expected)
            assert expected is None or words in reader.words("#desk") or "below 1" in reader.words("#desk"), fields
            continue
        assert line is not None, (fields, reader.words("#desk-form")[:500])
        actual = {name: line.result.details[name] for name in ("total", "exact", "column", "row", "losses")}
        assert {**actual, "outcome": line.result.outcome} == expected, (fields, die)
        outcomes.add(expected["outcome"])
    assert outcomes >= {"losses", "no_effect", "rounding"}
    exported = json.loads(players.text_of(player.get("log.json")))
    assert replay.examine_log(exported)["problems"] == []
