"""Size budgets: what a phone on a slow line has to load."""

import json

import pytest

from firefight.columns import MatchState
from firefight.models import Match
from firefight.table.log import reading
from tests.firefight.players import OPEN_PAGES, SAMPLES, headline_of, json_of, page_of

PAGE = 60_000
FRAGMENT = 16_000  # of an attack on a stack of three, with the odds of each
UNITS = [
    {
        "kind": "squad",
        "name": "1st squad, 3rd co.",
        "tq": 6,
        "hex": "K7",
        "where": "upper level",
        "modifiers": ["woods"],
    },
    {
        "kind": "squad",
        "name": "2nd squad, 3rd co.",
        "tq": 7,
        "hex": "K7",
        "where": "upper level",
        "modifiers": ["woods"],
    },
    {
        "kind": "leader",
        "name": "Hauptmann Klug",
        "tq": 8,
        "hex": "K7",
        "where": "upper level",
        "modifiers": ["running"],
    },
]
MISSION = {"caliber": "105", "aim": "K7", "units": json.dumps(UNITS), "marker": "cff", "correction": "1"}
# Words as long as they may be, in letters of two bytes.
LONG_NOTE = "Отделение " * 50


def size(response):
    return len(response.content)


@pytest.mark.parametrize("address", [*OPEN_PAGES, "/match/new/", "/nothing/", *map(page_of, SAMPLES)])
def test_pages_without_a_match_keep_to_the_budget(client, db, address):
    assert size(client.get(address)) <= PAGE


@pytest.mark.parametrize("slug", SAMPLES)
def test_fragments_of_a_helper_keep_to_the_budget(client, slug):
    headers = {"HX-Request": "true"}
    assert size(client.get(page_of(slug), headers=headers)) <= FRAGMENT
    fields = {**SAMPLES[slug], "dice": "table"}
    assert size(client.post(page_of(slug), fields, headers=headers)) <= FRAGMENT
    assert size(client.post(page_of(slug), {**fields, "more": "units-open"}, headers=headers)) <= FRAGMENT
    assert size(client.post(f"{page_of(slug)}odds/", fields, headers=headers)) <= FRAGMENT
    assert size(client.get(json_of(slug))) <= FRAGMENT


def mission(player):
    """A fire mission against three units to its last morale check; every fragment on the way."""
    yield player.roll(
        "contact", True, device="radio", die="10", dice="table", after=player.match.last_number, **MISSION
    )
    for _ in range(9):
        queue = player.match.state.queue
        if not queue:
            return
        step = queue[0]
        yield player.get(f"roll/{step.helper}/", True, step=step.id, after=player.match.last_number)
        inputs = {key: json.dumps(value) if key == "units" else value for key, value in step.inputs.items()}
        inputs = {key: value for key, value in inputs.items() if value not in (None, False)}
        carry = json.dumps({key: value for key, value in step.inputs.items()})
        die = "50" if step.helper == "fire" else "5"
        fields = {**inputs, "die": die, "direction_die": "3", "dice": "table", "chained": "1", "step": step.id}
        yield player.roll(step.helper, True, carry=carry, after=player.match.last_number, **fields)


@pytest.mark.django_db
def test_every_fragment_of_a_chain_against_three_units_keeps_to_the_budget(table):
    table.german.do("advance/")
    slugs = set()
    for response in mission(table.german):
        assert response.status_code == 200
        assert size(response) <= FRAGMENT, headline_of(response)
        assert size(table.russian.get("live/", htmx=True, after=table.german.match.last_number - 1)) <= FRAGMENT
        slugs |= {line.helper for line in table.german.log}
    assert {"contact", "firepower", "fire", "morale"} <= slugs


@pytest.mark.django_db
@pytest.mark.parametrize("phase", ["command", "fire_and_movement", "melee", "conclusion"])
def test_the_desk_of_every_helper_in_a_match_keeps_to_the_budget(table, phase):
    state = MatchState(2, phase, "german")
    Match.objects.filter(pk=table.german.match_id).update(state=state)
    after = table.german.match.last_number
    for slug in SAMPLES:
        assert size(table.german.get(f"roll/{slug}/", True)) <= FRAGMENT, slug
        assert size(table.german.roll(slug, True, after=after, die="999", dice="table")) <= FRAGMENT, slug
        assert size(table.german.roll(slug, True, version=1, after=after)) <= FRAGMENT, slug


@pytest.mark.django_db
def test_a_full_page_of_long_sealed_notes_keeps_to_the_budget(table):
    for _ in range(reading.PAGE + 5):
        table.german.note(LONG_NOTE[:500].strip(), sealed="on")
    for place in ("", "log/", "log/?before=20", "roll/contact/", "dice/", "seats/", "charts/"):
        for player in (table.german, table.russian):
            assert size(player.client.get(f"/match/{player.match_id}/{place}")) <= PAGE, place


@pytest.mark.django_db
def test_fragments_of_the_log_keep_to_the_budget(table):
    for number in range(reading.PAGE + 5):
        table.german.roll("fo-loss", die=str(number % 10), dice="table")
    version, after = table.german.match.version, table.german.match.last_number
    assert size(table.german.get("log/", True, before=after)) <= FRAGMENT
    table.german.do("advance/")
    for note in [LONG_NOTE[:500].strip(), "'" * 500] * 12:
        table.russian.note(note, sealed="on")
        assert size(table.russian.get("live/", True, version=version, after=after)) <= FRAGMENT
    for player in (table.german, table.russian):
        older = player.get("log/", True, before=table.german.match.last_number)
        assert size(older) <= FRAGMENT
        assert "Older entries" in older.content.decode()


@pytest.mark.django_db
def test_the_pages_of_a_match_with_many_due_rolls_keep_to_the_budget(table):
    units = json.dumps([{**UNITS[0], "name": f"{number}. squad"} for number in range(12)])
    for _ in range(4):
        table.german.roll("fire", ff="8", die="34", units=units, dice="table")
    assert len(table.german.match.state.queue) == 48
    for place in ("", "roll/fire/"):
        assert size(table.german.get(place)) <= PAGE
