"""What bars an attack at the table: the phase, where it would break through; and a hex that nobody has counted."""

import pytest

from .test_battle import HEX, SLUG, Side, due
from .test_table import begin

pytestmark = pytest.mark.django_db
EMPTY = "Advance, if nobody is left"
CLEAR = {"terrain": "clear", "terrain_drm": 0}


@pytest.fixture
def sides(frozen):
    """A match, with a browser for each side."""
    german, soviet = frozen("streets on two devices", begin)
    return Side(german), Side(soviet)


def go(side, phase):
    side.player.do("record/", field="phase", value=str(phase))


def attack_alone(side, **fields):
    """An attack without what comes before it, typed on its own page."""
    side.open("attack").reader.form("#desk-form").fill(**{"hex": HEX, "points": 20, "die": 9, **CLEAR, **fields})
    side.reader.form("#desk-form").press("Resolve")
    return side.reader.words("#desk")


@pytest.mark.parametrize("phase", range(1, 16))
def test_each_side_attacks_in_its_phases_alone(sides, phase):
    german, soviet = sides
    go(german, phase)
    for side, name, own in ((german, "german", (3, 5, 7, 8)), (soviet, "soviet", (10, 12, 14, 15))):
        words = side.declare(firer=name, breakthrough="on" if phase in (3, 7, 10, 14) else None, **CLEAR)
        words = words.reader.words("#desk")
        assert (f"this is phase {phase} (4.3, 10.1)" in words) is (phase not in own), words
        assert bool(due(german)) is (phase in own)
        german.player.do("drop/", step="all")
        soviet.player.do("answer/", agrees="yes") if german.player.match.proposal else None
        if german.player.match.state.queue:
            soviet.player.do("drop/", step="all")


def test_an_attack_alone_is_barred_too_and_its_odds_without_a_match_are_not(sides, client):
    german, _ = sides
    go(german, 2)
    assert "attacks in phases 5 and 8, breaks through in 3 and 7: this is phase 2" in attack_alone(german)
    assert [line for line in german.player.log if line.helper] == []
    assert client.get(f"/assist/{SLUG}/attack/").status_code == 200


def test_no_breakthrough_is_declared_in_an_attack_phase(sides):
    german, _ = sides
    go(german, 5)
    assert "breaks through in 3 and 7: this is phase 5" in german.declare(breakthrough="on", **CLEAR).reader.words()


@pytest.mark.parametrize(
    "name, words",
    [
        ("crosses_wall_or_balka", "Not across the Tartar Wall or a balka (10.2)"),
        ("interdicted", "The hex is interdicted (10.2, 14.85)"),
        ("not_adjacent", "An unpinned attacker has to be next to the hex (10.2)"),
    ],
)
def test_a_breakthrough_is_asked_what_10_2_asks(sides, name, words):
    german, _ = sides
    go(german, 3)
    assert words in german.declare(**{name: "on"}, **CLEAR).reader.words("#desk")
    assert due(german) == []
    german.declare(**CLEAR)
    assert due(german) == [("decide", "Fire in defence")]


def test_an_attack_in_a_movement_phase_breaks_through(sides):
    german, _ = sides
    go(german, 3)
    assert "every attack breaks through" in german.declare(breakthrough=None, **CLEAR).reader.words("#desk")
    assert due(german) == []


def test_a_breakthru_marker_lies_where_attackers_went_in_and_once(sides):
    german, soviet = sides
    go(german, 3)
    for place, says, lies in (("1842", "Somebody is left, or nobody advances", []), ("1843", "Advance", ["1843"])):
        german.declare(points=20, hex=place, **CLEAR)
        soviet.press("No fire")
        german.throw(1)
        assert german.player.match.state.record["markers"] == []  # nobody has gone in yet (10.6)
        german.press(says)
        hexes = [row["hex"] for row in german.player.match.state.record["markers"] if row["marker"] == "breakthru"]
        assert hexes == lies


def test_what_interdicts_a_hex_stands_in_the_record_and_bars_both_ways(sides):
    german, _ = sides
    go(german, 2)
    german.player.roll("interdiction", hex=HEX, points="9")
    go(german, 3)
    filled = german.player.client.get(f"/match/{german.player.match_id}/roll/battle/?hex={HEX}")
    assert 'name="interdicted"' in filled.content.decode()
    page = german.reader.open(f"/match/{german.player.match_id}/roll/battle/?hex={HEX}")
    assert page.find("input[name=interdicted][checked]")
    german.declare(**CLEAR)  # nobody ticked it: the record knows
    assert "The hex is interdicted" in german.reader.words("#desk") and due(german) == []
    assert "The hex is interdicted" in attack_alone(german)
    assert "clear, forest, suburb" in attack_alone(german, hex="1843", terrain="city")


@pytest.mark.parametrize("points, die, result", [(60, 2, "D2"), (60, 1, "D2"), (20, 3, "D1"), (9, 1, "D1P")])
def test_where_nobody_has_counted_the_players_see_whether_the_hex_is_empty(sides, points, die, result):
    german, soviet = sides
    go(german, 5)
    german.declare(points=points)
    soviet.press("All stay, no fire")
    german.throw(die)
    assert [line.result.details["result"] for line in german.player.log if line.helper == "attack"] == [result]
    assert due(german) == [("decide", EMPTY)]
    german.press("Advance")
    assert due(german) == [("decide", "Counter-attack")]


def test_who_has_counted_is_not_asked(sides):
    german, soviet = sides
    go(german, 5)
    german.declare(points=60, combat_units=4)
    soviet.press("All stay, no fire")
    german.throw(2)
    assert due(german) == []
    german.declare(points=60, combat_units=2, hex="1843")
    soviet.press("All stay, no fire")
    german.throw(2)
    assert due(german) == [("decide", "Advance")]


def test_an_uncounted_hex_under_a_d1p_in_cover_is_asked_about_once(sides):
    german, soviet = sides
    go(german, 5)
    ways = {"1842": ("All retreat one hex", "Advance"), "1843": ("One unit is lost, the rest stay", EMPTY)}
    for place, (answer, question) in ways.items():
        german.declare(points=20, adjacent_infantry="on", hex=place)
        soviet.press("All stay, no fire")
        german.throw(4)
        assert due(german) == [("p-result", "Soviet units under the P")]
        soviet.press(answer)
        assert due(german) == [("decide", question)]
        german.press("Advance")
        soviet.press("No")
        assert due(german) == []
