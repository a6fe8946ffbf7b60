"""The board as it is packed away: what stands where, on the page and on paper, and what each side may have of it."""

import pytest

from firefight.drawing import paper
from firefight.drawing.paper import Format
from firefight.engine.board.counters import number_of
from firefight.models import Match
from firefight.table.story import pack, pack_paper
from tests import pages, pdf
from tests.firefight import players
from tests.firefight.players import text_of, words_of

pytestmark = pytest.mark.django_db

TUCKED = "behindthestove"  # a note that one side alone may read


@pytest.fixture
def board(frozen):
    return frozen("a board for a pack", lay_out)


def lay_out():
    """Squads in a building and beside it, one of them pinned; ground; under seal an NCO, mines and a plot."""
    table = players.seated()
    german, russian = table.german, table.russian
    german.do("counters/add/", list="German: 3 Grenadier squad\nRussian: 2 Rifle squad")
    german.do("counters/", id=["german-1", "german-2"], place="K12")
    german.do("counters/", id="german-3", place="K7/1", state="pinned", note="last box of ammunition")
    russian.do("counters/", id="russian-1", place="K12")
    [table.hidden] = german.bring_hidden("German: NCO")
    german.do("counters/", id=table.hidden, place="C5", note=TUCKED)
    german.do("rows/", field="ground", **{"part-hex": "K12", "part-rubble": "yes"})
    german.do("rows/", field="ground", **{"part-hex": "C6", "part-known_to": "german", "part-mines": "3"})
    plot = {"plotted": "yes", "known_to": "russian", "plot": "N7, N8", "plot_turn": "2", "caliber": "122"}
    russian.do("rows/", field="missions", **{f"part-{name}": value for name, value in plot.items()})
    return table


def sheets_of(player):
    """What the page shows: by sheet and place the rows, in words."""
    page = pages.read(text_of(player.get("pack/")))
    sheets = {}
    for section in page.css("section.board"):
        heads = [pages.words(head) for head in section.css("h3")]
        lists = [[pages.words(row) for row in list_of_place.css("li")] for list_of_place in section.css("ul.packed")]
        sheets[section.css_first("h2").attributes["id"].removeprefix("sheet-")] = dict(zip(heads, lists, strict=True))
    return sheets


def paper_of(player, sheet="common", size="a4"):
    response = player.get("pack.pdf", sheet=sheet, paper=size)
    assert response.status_code == 200, words_of(response)
    return response.content


def readable(response):
    """What an answer says, without what is random in a page."""
    is_paper = response.headers["Content-Type"] == "application/pdf"
    return pdf.words_of(response.content) if is_paper else words_of(response)


def test_the_common_sheet_has_everything_open_place_by_place(board):
    common = sheets_of(board.german)["common"]
    assert list(common) == ["K7, level 1", "K12", "Off map"]
    assert common["K7, level 1"] == ["Grenadier squad #3 German Pinned Down"]
    assert common["K12"] == [
        "Grenadier squad #1 German Good Order",
        "Grenadier squad #2 German Good Order",
        "Rifle squad #1 Russian Good Order",
        "Ground rubble",
    ]
    assert common["Off map"] == ["Rifle squad #2 Russian Good Order"]
    for player in (board.russian, board.observer):
        assert sheets_of(player)["common"] == common


def test_a_sides_secrets_are_on_a_sheet_of_its_own(board):
    own = sheets_of(board.german)["own"]
    assert own == {
        "C5": [f"NCO #{number_of(board.hidden)} German Good Order, hidden, “{TUCKED}”"],
        "C6": ["Ground German mines, 3"],
        "K7, level 1": ["Grenadier squad #3 German Pinned Down, “last box of ammunition”"],
    }
    (plots,) = sheets_of(board.russian)["own"].values()
    assert "plot N7 or N8, turn 2" in plots[0]
    assert list(sheets_of(board.observer)) == ["common"]


@pytest.mark.parametrize("size", list(Format))
def test_both_sheets_on_paper_say_what_the_page_says(board, size):
    for player in (board.german, board.russian):
        for name, places in sheets_of(player).items():
            words = pdf.squashed(pdf.words_of(paper_of(player, name, size)))
            words_told = [
                pdf.squashed(word) for title, rows in places.items() for line in (title, *rows) for word in line.split()
            ]
            assert all(word in words for word in words_told), (name, [word for word in words_told if word not in words])


@pytest.mark.parametrize("size", list(Format))
def test_nobody_else_is_given_a_sides_sheet(board, size):
    secrets = (TUCKED, "NCO", "C5", "C6")
    assert all(word in pdf.words_of(paper_of(board.german, "own", size)) for word in secrets)
    for player in (board.russian, board.observer):
        responses = [
            player.get("pack/"),
            *(player.get("pack.pdf", sheet=name, paper=size) for name in ("common", "own")),
        ]
        for response in (*responses, board.german.get("pack.pdf", sheet="common", paper=size)):
            assert not [word for word in secrets if word in readable(response)]
    assert board.observer.get("pack.pdf", sheet="own", paper=size).status_code == 400


def test_a_counter_that_is_led_by_a_hidden_one_gives_him_away_on_the_own_sheet_alone(board):
    board.german.do("counters/", id="german-1", beside=board.hidden)
    german = sheets_of(board.german)
    assert "Grenadier squad #1 German Good Order" in german["common"]["K12"]
    assert german["own"]["K12"] == [f"Grenadier squad #1 German Good Order, with NCO #{number_of(board.hidden)}"]


def test_a_hot_seat_gives_the_acting_sides_sheet_and_none_while_it_is_covered():
    player = players.begin("german", hot_seat=True)[0]
    [nco] = player.bring_hidden("German: NCO")
    player.do("counters/", id=nco, place="C5", note=TUCKED)
    assert TUCKED in pdf.words_of(paper_of(player, "own"))
    player.send("cover/", {})
    assert player.get("pack.pdf", sheet="own").status_code == 302
    player.send("lift/", {"side": "russian"})
    assert TUCKED not in pdf.words_of(paper_of(player, "own"))


@pytest.mark.parametrize("size", list(Format))
def test_many_counters_with_long_notes_stay_whole_on_every_page(table, size):
    table.german.do("counters/add/", list="German: 20 Grenadier squad, 10 Pioneer squad, 10 Panzergrenadier squad")
    note = " ".join(["ammunition"] * 10)
    for first in (1, 21):
        table.german.do("counters/", id=[f"german-{first + more}" for more in range(20)], place="K12", note=note)
    assert sum(counter.get("note") == note for counter in Match.objects.get().state.counters.values()) == 40
    sheet_pages = pdf.pages_of(paper_of(table.german, "own", size))
    assert len(sheet_pages) > 1
    wide, high = pdf.SIZES[size]
    for page in sheet_pages:
        left, top, right, bottom = page.ink
        assert left >= pdf.MARGIN - 0.5 and right <= wide - pdf.MARGIN + 0.5
        assert top >= pdf.MARGIN - 0.5 and bottom <= high - pdf.MARGIN + 0.5
        # A row has a box, its name and its whole note: none of them goes on over the page.
        boxes = [box for box in page.rectangles if abs((box[2] - box[0]) - 3.4) < 0.4]
        assert page.words.count("squad #") == len(boxes)
        assert page.words.count("ammunition") == 10 * len(boxes)
        assert "K12" in page.words
    assert all("K12, continued" in page.words for page in sheet_pages[1:])


def test_what_would_fill_more_than_a_page_stands_in_two_columns_on_one(table):
    table.german.do("counters/add/", list="German: 30 Grenadier squad, 10 Pioneer squad")
    table.german.do("counters/add/", list="German: 20 Grenadier squad")
    (page,) = pdf.pages_of(paper_of(table.german, "common"))
    boxes = [box for box in page.rectangles if abs((box[2] - box[0]) - 3.4) < 0.4]
    assert len(boxes) == page.words.count("squad #") == 60
    assert len({round(left) for left, *_ in boxes}) == 2 and "continued" in page.words


@pytest.mark.parametrize(("number", "size", "pages"), [(28, "a4", 1), (48, "letter", 2)])
def test_the_heads_of_places_have_their_room(table, number, size, pages):
    """Each counter stands alone: heads take more room than rows, and what they need decides on columns and pages."""
    table.german.do("counters/add/", list=f"German: {number} Grenadier squad")
    for tag in range(1, number + 1):
        place = f"{'ABCDEFGHIJ'[tag % 10]}{tag // 10 + 6}"
        assert table.german.do("counters/", id=f"german-{tag}", place=place).status_code == 302
    sheet_pages = pdf.pages_of(paper_of(table.german, "common", size))
    assert len(sheet_pages) == pages
    for page in sheet_pages:
        last = max(top for _, top, _, _ in page.rectangles) + pack_paper._LINE + pack_paper._GAP
        assert last <= pdf.SIZES[size][1] - paper.MARGIN - paper.FOOT + 0.5, "no row in the foot of the page"
    boxes = [box for box in sheet_pages[0].rectangles if abs((box[2] - box[0]) - 3.4) < 0.4]
    assert len({round(left) for left, *_ in boxes}) == 2, "two columns, since one does not hold all"


def test_letters_are_large_enough_to_be_read_at_a_table(board):
    assert pack_paper._SIZE >= 9


def test_the_match_page_links_to_it_and_a_strange_order_is_refused(board):
    assert pages.find(text_of(board.german.get()), f'a[href="/match/{board.german.match_id}/pack/"]')
    for query, reason in (({"paper": "a5"}, "Paper is one of"), ({"sheet": "russian"}, "A sheet is common")):
        refused = board.german.get("pack.pdf", **query)
        assert refused.status_code == 400
        assert reason in words_of(refused)


def test_a_board_with_nothing_on_it_says_so(table):
    assert "Nothing." in table.german.see("pack/")
    assert pack.describe_whole(pack.PackSheet("common", "", ())) == "Nothing."


def test_what_was_given_back_and_missions_that_are_over_lie_on_no_sheet(board):
    german = board.german
    german.do("rows/", field="missions", **{"part-caliber": "105", "part-name": "Anton"})
    assert "Anton" in str(sheets_of(german)["common"])
    german.do("rows/", change='{"missions": {"change": {"german-1": {"lost": true}}}}')
    german.do("counters/", id="german-1", fate="returned")
    german.do("counters/", id="german-2", fate="eliminated")
    common = sheets_of(german)["common"]
    assert "Anton" not in str(common) and "Grenadier squad #1" not in str(common)
    assert "Grenadier squad #2" in str(common["Out of play"])
