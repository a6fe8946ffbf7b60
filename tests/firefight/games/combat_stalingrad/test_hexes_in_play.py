"""The hexes in play of a firefight, drawn and tapped on a page of their own."""

import re

import pytest

from tests.filling import Reader
from tests.firefight.players import Player, begin, sit, text_of, words_of

pytestmark = pytest.mark.django_db


def lay_out():
    german, links = begin()
    russian, observer = (sit(links[seat], german.match_id) for seat in ("russian", "observer"))
    german.do("counters/add/", list="German: 2 Panzergrenadier squads\nRussian: 3 Rifle squads")
    german.do("counters/", id=["german-1", "german-2"], place="K7")
    russian.do("counters/", id=["russian-1", "russian-2"], place="K9")
    russian.do("counters/", id=["russian-3"], place="R15")
    russian.do("counters/", id=["russian-3"], becomes="hidden")
    german.do("counters/", id=["german-2"], becomes="pinned")
    return german, russian, observer


@pytest.fixture
def table(frozen):
    """Two squads in K7, two in K9, a hidden one in R15; and an observer."""
    return frozen("hexes in play", lay_out)


def board_of(player):
    return Reader(player.client).open(f"/match/{player.match_id}/board/")


def drawn(reader):
    """The drawing and the style sheet of a board's page."""
    [picture] = reader.find(".board-sheet img")
    sheet = next(link for link in reader.find("link[rel=stylesheet]") if "/board/" in link.attributes["href"])
    return [reader.client.get(address) for address in (picture.attributes["src"], sheet.attributes["href"])]


def labels(reader):
    return [button.attributes["aria-label"] for button in reader.find("#board-over button")]


def test_the_table_leads_to_the_hexes_in_play_and_they_show_who_stands_there(table):
    german, russian, _ = table
    reader = Reader(german.client).open(f"/match/{german.match_id}/").press("Map", within=".table-column")
    assert labels(reader) == [
        "K7, Panzergrenadier squad #1, Panzergrenadier squad #2 (Pinned Down)",
        "K9, Rifle squad #1, Rifle squad #2",
    ]
    picture, sheet = drawn(reader)
    assert (picture.status_code, sheet.status_code) == (200, 200)
    names = re.findall(r">([A-Z][0-9]+)<", text_of(picture))
    assert {"K7", "K8", "K9", "J7"} <= {*names} and len(names) == len({*names}) == 13
    assert any("R15" in label for label in labels(board_of(russian)))


def test_what_another_side_hides_is_in_no_drawing(table):
    german, russian, observer = table
    russian.do(
        "rows/",
        field="missions",
        **{
            "part-caliber": "122",
            "part-plotted": "yes",
            "part-plot": "S12, S13",
            "part-plot_turn": "2",
            "part-known_to": "russian",
        },
    )
    mine = text_of(russian.get("board/"))
    assert "R15" in mine and "plotted by" in mine
    for player in (german, observer):
        reader = board_of(player)
        answers = [reader.words("html"), *map(text_of, drawn(reader)), text_of(player.get("board/", at="R15"))]
        assert not any(re.search(r"\b(R1[456]|S1[1-4])\b", answer) for answer in answers[1:])
        assert "plotted" not in answers[0] and "Rifle squad #3" not in " ".join(answers)
    theirs = [response.request["PATH_INFO"] for response in drawn(board_of(russian))]
    assert [german.client.get(address).status_code for address in theirs] == [404, 404]


def test_a_hex_is_tapped_and_who_stands_there_is_selected_on_the_table(table):
    german, _, observer = table
    reader = board_of(german)
    reader.press("K7, Panzergrenadier squad #1, Panzergrenadier squad #2 (Pinned Down)", within="#board-over")
    assert "K7, Panzergrenadier squad #1" in reader.words("#board-place")
    reader.press("Select them on the table", within="#board-place")
    chosen = {box.attributes["value"] for box in reader.find("#table input[name=chosen][checked]")}
    assert chosen == {"german-1", "german-2"}
    assert "Select" not in words_of(observer.get("board/", at="K7"))


def test_the_zone_of_an_ffe_its_brackets_and_ground_are_signs(table):
    german, russian, _ = table
    battery = {"part-caliber": "105", "part-side": "german"}
    german.do("rows/", field="missions", **battery, **{"part-marker": "ffe", "part-hex": "M9"})
    german.do("rows/", field="missions", **battery, **{"part-marker": "cff", "part-hex": "P10", "part-brackets": "P12"})
    german.do("rows/", field="ground", **{"part-hex": "K7", "part-rubble": "yes"})
    for player in (german, russian):
        all_labels = " | ".join(labels(board_of(player)))
        assert "M9, FFE of" in all_labels and all_labels.count("in the zone of the FFE of") == 6
        assert "P10, CFF of" in all_labels and "P12, bracket of" in all_labels
        assert "K7, rubble, Panzergrenadier squad #1" in all_labels


def test_where_nothing_has_a_hex_the_page_says_what_to_do(client):
    player, _ = begin()
    assert "Nothing has a hex yet" in player.see("board/")
    assert player.get("board/0123456789abcdef.svg").status_code == 404
    stranger = Player(player.match_id)
    assert stranger.get("board/").status_code == 403


def test_without_a_script_a_tapped_hex_stands_on_the_page(table):
    german, _, _ = table
    reader = Reader(german.client, script=False).open(f"/match/{german.match_id}/board/?at=K9")
    assert "K9, Rifle squad #1, Rifle squad #2" in reader.words("#board-place")
