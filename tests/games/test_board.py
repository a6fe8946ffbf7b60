"""A board that is drawn and tapped, played from its page: hounds, a fox, and animals that nobody tells apart."""

import re

import pytest

from examples.fox_hunt.board import BOARD, Wood
from examples.fox_hunt.hunt import Hunt
from firefight.engine.board.board import (
    Board,
    BoardPlace,
    BoardView,
    GroundKind,
    Look,
    Outline,
    PieceStack,
    PlaceView,
    Shape,
    Sign,
    digest_board,
)
from firefight.engine.course.conducting import Ask, Choice
from tests.filling import Reader
from tests.firefight import players

pytestmark = pytest.mark.django_db
STEP, LIT = "form#step-form", "#board-over .lit"
ADDRESSES = ("", "board/", "board/?at=A3", "step.json", "record.json", "log.json")
OVERLAY = 6_000  # bytes
# What is new in every answer: ids of acts, tokens of forms.
OF_ONE_ANSWER = re.compile(r'name="(act|csrfmiddlewaretoken)" value="[^"]+"')


@pytest.fixture
def hounds(frozen):
    return frozen("hounds after a fox in its lair", begin)


def begin():
    """A match, with the fox in its lair."""
    hounds = players.begin("hounds", game="fox-hunt")[0]
    hounds.do("step/")
    return hounds


@pytest.fixture
def reader(hounds):
    """Its page."""
    return Reader(hounds.client).open(f"/match/{hounds.match_id}/")


def hunt_of(player):
    return player.match.state.record["hunt"]


def put_fox(player, place):
    """Let the fox lie elsewhere, as if the app had thrown that."""
    match = player.match
    animals = {name: "fox" if name == place else "rabbit" for name in hunt_of(player)["animals"]}
    match.state.record["hunt"] = {**hunt_of(player), "animals": animals}
    match.save()


def lit(reader):
    return {node.attributes["value"]: node.attributes["aria-label"] for node in reader.find(f"{LIT} button")}


def test_the_places_of_a_decision_are_lit_and_say_what_lies_there(reader):
    assert lit(reader) == {
        "A1": "The hound in A1: field, a hound",
        "D1": "The hound in D1: field, a hound",
    }


def test_a_lit_place_decides_and_the_next_ones_are_lit(hounds, reader):
    reader.press("choice=A1", LIT)
    assert hunt_of(hounds)["chosen"] == "A1"
    assert set(lit(reader)) == set(BOARD.list_neighbours("A1"))
    assert "another" in [button.attributes["value"] for button in reader.find(f"{STEP} .choices button")]
    reader.press("choice=A2", LIT)
    assert "A2" in hunt_of(hounds)["hounds"]


def test_it_is_played_without_script_too(hounds):
    reader = Reader(hounds.client, script=False).open(f"/match/{hounds.match_id}/")
    reader.press("choice=A1", LIT)
    reader.press("choice=A2", LIT)
    assert hunt_of(hounds)["hounds"] == ["A2", "D1"]


def test_the_list_offers_what_the_board_offers(reader):
    listed = {button.attributes["value"] for button in reader.find(f"{STEP} > .choices button")}
    assert listed == set(lit(reader)) and not reader.has(".on-board")


def test_a_long_list_of_lit_places_folds_up(hounds, reader, monkeypatch):
    monkeypatch.setattr("firefight.table.views.shown_step.MOST_LISTED", 1)
    reader.open(reader.address)
    assert {button.attributes["value"] for button in reader.find(f"{STEP} .on-board button")} == set(lit(reader))
    assert not reader.has(f"{STEP} > .choices")


def test_where_the_app_leads_there_is_no_bar_of_rolls_and_no_turn_to_end(hounds, reader):
    assert not reader.has("#rolls") and not reader.has("#turn button[name=button]")


def test_a_place_that_was_tapped_is_told_and_all_of_them_in_words(hounds, reader):
    reader.press("at=B2", "#board-over")
    assert reader.words("#board-place") == "B2, wood, lair, an animal"
    page = Reader(hounds.client).open(f"/match/{hounds.match_id}/board/")
    assert len(page.find(".board-words li")) == len(BOARD.places)
    assert "D3, brook" in page.words() and "3 animals 2 hounds" in page.words()
    assert "There is no such place." in players.words_of(
        hounds.client.get(f"/match/{hounds.match_id}/board/?at=Z9", headers={"HX-Request": "true"})
    )


def test_a_hunt_is_played_to_its_end_and_what_happened_is_pointed_at(hounds, reader):
    put_fox(hounds, "B2")
    reader.open(reader.address)
    reader.press("choice=A1", LIT)
    reader.press("choice=B2", LIT)
    assert hounds.match.state.record["caught"] == 1 and hunt_of(hounds) is None
    assert not lit(reader)
    assert "The fox is caught in B2" in reader.words()


def test_the_newest_that_was_told_of_a_place_is_pointed_at(hounds, reader):
    reader.press("choice=A1", LIT)
    reader.press("choice=A2", LIT)
    lines = reader.find(f"{STEP} .told [data-place]")
    assert lines and reader.find("#board-over")[0].attributes["data-happened"] == lines[-1].attributes["data-place"]


def test_nothing_tells_the_fox_from_the_rabbits(hounds):
    """Every answer reads the same wherever the fox lies."""
    texts = []
    for lair in ("A3", "C3"):
        put_fox(hounds, lair)
        answers = [hounds.get(address) for address in ADDRESSES]
        texts.append([OF_ONE_ANSWER.sub("", answer.content.decode()) for answer in answers])
        assert all(answer.status_code == 200 for answer in answers)
        assert not re.search("rabbit|a fox|fox hides", "".join(texts[-1]))
    assert texts[0] == texts[1]


def test_an_observer_sees_the_board_and_may_press_nothing(hounds):
    maker, links = players.begin("hounds", game="fox-hunt")
    maker.do("step/")
    bench = players.sit(links["observer"], maker.match_id)
    page = Reader(bench.client).open(f"/match/{maker.match_id}/")
    assert page.find("#board-over button[name=at]") and not page.find(f"{LIT} button")
    assert not page.find("#board-over button[name=choice]")


def test_the_drawing_is_kept_by_its_digest_and_by_nobody_without_a_seat(hounds, reader, client):
    address = reader.find(".board-sheet img")[0].attributes["src"]
    answer = hounds.client.get(address)
    assert answer["Content-Type"] == "image/svg+xml" and "immutable" in answer["Cache-Control"]
    assert b">A1<" in answer.content
    again = hounds.client.get(address, headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304 and not again.content
    assert hounds.client.get(address.replace(digest_board(BOARD), "0" * 16)).status_code == 404
    assert client.get(address).status_code == 403
    style = hounds.client.get(address.replace(".svg", ".css"))
    assert style["Content-Type"].startswith("text/css") and style.content.count(b"clip-path") == len(BOARD.places)


def test_a_game_without_a_board_has_no_page_of_one():
    watch = players.begin("watch", game="lone-watch", mode="alone")[0]
    assert watch.get("board/").status_code == 404
    assert watch.get(f"board/{digest_board(BOARD)}.svg").status_code == 404
    assert not Reader(watch.client).open(f"/match/{watch.match_id}/").find("#board")


def test_taking_back_takes_a_decision_back_whole(hounds, reader):
    before = hunt_of(hounds)
    reader.press("choice=A1", LIT)
    hounds.do("take-back/")
    assert hunt_of(hounds) == before


def test_another_device_is_shown_what_changed(hounds, reader):
    other = Reader(hounds.client).open(reader.address)
    other.press("choice=A1", LIT)
    reader.look()
    assert set(lit(reader)) == set(BOARD.list_neighbours("A1"))


def make_large(shape=Shape.FLAT):
    """A board of 19 columns with six hexes each."""
    looks = [GroundKind(look.value, look) for look in Look]
    return Board(
        tuple(BoardPlace(str(6 * x + y), (x, 2 * y + x % 2), looks[(x + y) % 5]) for x in range(19) for y in range(6)),
        shape,
    )


def test_a_place_shows_who_holds_it_that_it_is_fought_for_and_that_it_is_cut_off(hounds, monkeypatch):
    pieces = (PieceStack("fox", 2, "two foxes", letters="F"),)
    views = {
        "A2": PlaceView(held_by="hounds"),
        "B1": PlaceView(pieces, is_contested=True, outlines=(Outline.CUT_OFF, Outline.CHANGED)),
        "B2": PlaceView(words="B2, where nobody goes", marks=(Sign("!", "danger"),)),
    }
    monkeypatch.setattr(Wood, "view_board", lambda self, situation, sees: BoardView(views))
    page = Reader(hounds.client).open(f"/match/{hounds.match_id}/")
    numbers = {place.name: number for number, place in enumerate(BOARD.places)}
    assert page.find(f"#board-over .b{numbers['A2']}.h1") and page.find(f"#board-over .b{numbers['B1']}.hx")
    labels = {
        button.attributes["value"]: button.attributes["aria-label"] for button in page.find("#board-over [name=at]")
    }
    assert labels["B1"].endswith("contested, cut off, changed, two foxes")
    assert labels["B2"] == "B2, where nobody goes"
    assert page.find("#board-over .s2")[0].text() == "F2"
    outlines = {
        outline.attributes["class"]: outline.attributes["points"] for outline in page.find("#board-over polygon")
    }
    assert {*outlines} == {"cut-off", "changed"} and len(outlines["changed"].split()) == 6


def test_a_large_board_keeps_to_the_budgets(hounds, monkeypatch):
    """A hundred and fourteen hexes, half of them full, with twelve lit."""
    large = make_large()
    full = PlaceView((PieceStack("fox", 3, "3 Soviet blocks, top stack", True),), (Sign("R", "rubble"),), "hounds")
    views = {str(n): full if n % 3 == 0 else PlaceView(held_by="hounds") for n in range(0, 114, 2)}
    monkeypatch.setattr(Wood, "lay_board", lambda self, situation: large)
    monkeypatch.setattr(Wood, "view_board", lambda self, situation, sees: BoardView(views, ("Turn 7",)))
    choices = tuple(Choice(str(n), f"To {n}", place=str(n)) for n in range(12))
    monkeypatch.setattr(Hunt, "find_wanted", lambda self, standing, situation: Ask("Where?", choices, "hounds"))
    page = Reader(hounds.client).open(f"/match/{hounds.match_id}/")
    assert len(lit(page)) == 12
    overlay = page.find("#board-over")[0].html
    assert len(overlay) <= OVERLAY, "before compression"
    assert len(page.response.content) <= 60_000


def test_neighbours_of_hexes_follow_from_where_they_are():
    flat, pointed = make_large(), make_large(Shape.POINTED)
    assert set(flat.list_neighbours("13")) == {"12", "14", "6", "7", "18", "19"}
    assert flat.find_neighbour("0", 1) is None
    assert all("13" in flat.list_neighbours(name) for name in flat.list_neighbours("13"))
    assert digest_board(flat) != digest_board(pointed)
