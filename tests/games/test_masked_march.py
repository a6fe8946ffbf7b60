"""Numbers of counters in play, by the example of the blocks of Masked March."""

import json

import pytest

from tests.filling import Reader
from tests.firefight import players
from tests.firefight.players import words_of
from tests.firefight.table.test_archive import save, send
from tests.games.conftest import toys  # noqa: F401 - the toys stand beside the games here, too

pytestmark = pytest.mark.django_db


def seat_sides():
    north, links = players.begin("north", game="masked-march")
    south = players.sit(links["south"], north.match_id)
    north.do("counters/add/", list="North: 1 guard, 1 levy\nSouth: 2 levies")
    return north, south


@pytest.fixture
def sides(frozen):
    """A match with a browser for each side: a guard and a levy of North, two levies of South."""
    return frozen("masked march", seat_sides)


def dots(player):
    listed = player.get("counters.json").json()
    return {piece["id"]: piece["fate"] or piece["levels"]["dots"] for piece in listed}


def fire(player, by="north-1", at="south-1", die="1"):
    """Fire as somebody does who chooses counters: the page fills in who they are, and how many dots they have."""
    query = [
        *(f"firers={piece_id}" for piece_id in by.split(",")),
        *(f"targets={piece_id}" for piece_id in at.split(",")),
    ]
    reader = Reader(player.client).open(f"/match/{player.match_id}/roll/fire/?{'&'.join(query)}")
    reader.form("#desk-form").fill(die=die).press("Resolve")
    return reader


def by_hand(player, *ids):
    chosen = "&".join(f"chosen={piece_id}" for piece_id in ids)
    return Reader(player.client).open(f"/match/{player.match_id}/hand/?{chosen}")


def test_a_new_counter_has_its_numbers_and_every_page_says_so(sides):
    north, south = sides
    assert dots(north) == {"north-1": 4, "north-2": 2, "south-1": 2, "south-2": 2}
    for player in sides:
        assert "Guard #1, Dots 4" in players.text_of(player.get())
    assert "Dots 4" in words_of(north.get("pack/"))


def test_a_rule_reads_the_numbers_and_says_what_they_become(sides):
    north, _ = sides
    assert "Fire with 4: 1 hit." in fire(north).words("#desk")
    assert dots(north)["south-1"] == 1
    assert north.last.sentence == "Levy #1: Dots 1; was Dots 2."
    assert north.last.inputs["counters"] == {"south-1": {"levels": [{"dots": 2}, {"dots": 1}]}}
    fire(north)
    assert dots(north)["south-1"] == "eliminated"


def test_a_change_can_set_a_number(sides):
    _, south = sides
    south.do("counters/", id=["south-1"], **{"level:dots": "1"})
    chosen = "firers=south-1&firers=south-2"
    reader = Reader(south.client).open(f"/match/{south.match_id}/roll/fill-up/?{chosen}")
    reader.form("#desk-form").press("Resolve")
    roll = next(line for line in south.log if line.helper == "fill-up")
    assert roll.result.details["changes"]["counters"] == {"south-1": "dots=2"}
    assert dots(south)["south-1"] == 2


def test_a_hand_puts_numbers_right_from_the_page(sides):
    north, _ = sides
    reader = by_hand(north, "north-1")
    reader.form("form:has([name='level:dots'])").fill({"level:dots": "3"}).press("Set it")
    assert dots(north)["north-1"] == 3
    assert north.last.sentence == "By hand, Guard #1: Dots 3; was Dots 4."


def test_several_at_once_get_what_fits_all_of_them(sides):
    north, _ = sides
    page = by_hand(north, "north-1", "north-2")
    [field] = page.find("input[name='level:dots']")
    assert (field.attributes["max"], field.attributes["value"]) == ("2", "")


@pytest.mark.parametrize(
    ("posted", "why"),
    [
        ({"level:dots": "5"}, "Guard #1: Dots from 0 to 4, not 5."),
        ({"level:dots": "-1"}, "Guard #1: Dots from 0 to 4, not -1."),
        ({"level:steps": "1"}, "Guard #1 has no steps."),
        ({"level:dots": "many"}, "“many” is not a number."),
    ],
)
def test_what_a_counter_cannot_have_is_refused_and_nothing_is_changed(sides, posted, why):
    north, _ = sides
    before = players.rows()
    refused = north.do("counters/", id=["north-1"], place="K7", **posted)
    assert refused.status_code == 422
    assert why in words_of(refused)
    assert players.rows() == before


def test_a_number_is_undone_by_its_line_and_taken_back_with_its_roll(sides):
    north, south = sides
    north.do("counters/", id=["north-1"], **{"level:dots": "3"})
    north.do("counters/undo/", number=north.last.number)
    assert dots(north)["north-1"] == 4
    assert north.last.sentence.startswith("Guard #1: Dots 4 again.")
    fire(north)
    south.do("take-back/")
    if south.match.proposal:
        north.do("answer/", agrees="yes")
    assert dots(north)["south-1"] == 2


def test_a_correction_goes_on_with_what_has_changed_of_the_number_since(sides):
    north, south = sides
    fire(north, at="south-1,south-2", die="1")
    roll = next(line for line in north.log if line.helper == "fire")
    south.do("counters/", id=["south-2"], **{"level:dots": "2"})
    opened = Reader(north.client).open(f"/match/{north.match_id}/roll/fire/?corrects={roll.number}")
    opened.form("#desk-form").fill(die="6").press()
    assert (dots(north)["south-1"], dots(north)["south-2"]) == (2, 2)


def test_a_file_keeps_the_numbers_and_is_refused_with_others(sides):
    north, _ = sides
    fire(north)
    saved = save(north)
    assert saved["match"]["state"]["counters"]["south-1"]["levels"] == {"dots": 1}
    again, _ = send(saved, side="north")
    assert dots(again)["south-1"] == 1
    for levels, flaw in (
        ({"dots": 7}, "south-1: dots should be from 0 to 2."),
        ({}, "has other numbers than such counters have: dots"),
        ({"dots": 1, "men": 1}, "has other numbers than such counters have: men"),
    ):
        saved["match"]["state"]["counters"]["south-1"]["levels"] = levels
        assert flaw in words_of(send(saved, side="north")[1])


def test_players_type_numbers_without_a_match(client):
    rows = json.dumps([{"kind": "guard", "levels": "Dots 3"}, {"kind": "levy", "levels": {"dots": 1}}])
    answer = client.get("/assist/masked-march/fire.json", {"by": rows, "at": "levy", "die": "4"}).json()
    assert answer["headline"] == "Fire with 4: 1 hit."
    flawed = client.get("/assist/masked-march/fire.json", {"by": rows.replace("Dots 3", "three"), "at": "levy"})
    assert flawed.status_code == 400 and "Type a name and a number" in flawed.content.decode()


# Decks and hands


def draw(player, slug, **fields):
    """Draw from the page as the record has filled it; the app throws, where a die decides."""
    reader = Reader(player.client).open(f"/match/{player.match_id}/roll/{slug}/")
    form = reader.form("#desk-form").fill(**fields)
    form.press("dice=app" if form.controls("card") else "")
    return reader


def record_of(player):
    return player.get("record.json").json()["record"]


def test_what_lies_on_top_is_drawn_without_a_die_and_the_rest_with_one(sides):
    north, _ = sides
    assert "Weather: clear." in draw(north, "weather").words("#desk")
    assert north.last.rolls == ()
    draw(north, "weather")
    assert len(north.last.rolls) == 1
    assert len(record_of(north)["weather"]["discard"]) == 2


def test_a_hand_is_counted_by_all_and_read_by_its_side_alone(sides):
    north, south = sides
    for number in range(1, 6):
        draw(north, "draw-order")
        assert record_of(south)["hand"] == number
    assert record_of(north)["hand"][-1] == "retreat"  # it lay at the bottom
    assert record_of(south)["orders"] == 0
    for place in ("", "log/", "record/", "record.json"):
        assert "retreat" not in players.text_of(south.get(place)).lower(), place
    file = save(south)
    assert "retreat" not in json.dumps(file["log"])
    assert file["match"]["state"]["record"]["hand"] == []
    draw(north, "give-order", order="retreat")
    assert record_of(south)["hand"] == 4
    assert "The order: retreat." in south.see("log/")


def test_a_card_that_is_not_in_the_hand_is_not_given(sides):
    north, _ = sides
    before = players.rows()
    refused = north.roll("give-order", order="advance")
    assert refused.status_code == 422
    assert "advance is not in it" in words_of(refused)
    assert players.rows() == before


def test_a_hand_cannot_be_set_to_a_card_that_lies_in_its_deck(sides):
    north, _ = sides
    refused = north.do("record/", field="hand", value="retreat")
    assert refused.status_code == 422
    assert "Orders: there are 1 of retreat, not 2." in words_of(refused)


def test_the_last_weather_has_both_decks_shuffled_anew(sides):
    north, south = sides
    draw(north, "draw-order")
    draw(north, "give-order", order=record_of(north)["hand"][0])
    for _ in range(3):
        draw(north, "weather")
    assert record_of(south)["weather"]["left"] == []
    draw(north, "weather")
    assert "All is shuffled." in south.see("log/")
    assert record_of(north)["weather"]["left"] == ["clear", "clear", "fog"]
    assert record_of(south)["orders"] == 5
    assert record_of(north)["orders"]["discard"] == []
