"""Chart books: stored once, checked as a whole, pinned by matches, and honest about blank cells."""

import pytest

from firefight.assistant.desk import LOOK_UP
from firefight.chartroom import drafts
from firefight.games import chartbooks, registry
from firefight.games.chartbooks import BadBook
from firefight.models import ChartBook, Match
from firefight.table.seats import sitting_down
from tests.books import altered_data, house_data
from tests.firefight.players import GAME, Player, json_of, odds_of, page_of, rows, text_of, words_of


def blank(chart, cell):
    """The shipped book with one cell of a chart of numbers left blank."""
    data = house_data()
    data["charts"][chart]["values"][cell] = ""
    data["name"] = "A book with a hole"
    return data


def new_match(book=None):
    match = sitting_down.new_match(registry.games()[GAME], "Friday", True)[0]
    if book:
        Match.objects.filter(pk=match.pk).update(book=book)
    return Match.objects.select_related("book").get(pk=match.pk)


@pytest.fixture
def maker(db):
    player = Player()
    player.client.post("/match/new/", {"game": GAME, "side": "german"})
    player.match_id = Match.objects.get().pk
    return player


def use(player, data):
    """Pin a book to the player's match."""
    book = chartbooks.store(GAME, data)
    Match.objects.filter(pk=player.match_id).update(book=book)
    return book


# Storing


@pytest.mark.django_db
def test_the_shipped_book_is_valid_and_stored_once():
    first, second = chartbooks.shipped_row(GAME), chartbooks.shipped_row(GAME)
    assert first == second
    book = ChartBook.objects.get()
    assert book.shipped and book.game == GAME and str(book) == book.name
    assert book.data == chartbooks.shipped_data(GAME)
    assert book.digest == chartbooks.digest(house_data())


@pytest.mark.django_db
def test_an_identical_book_is_stored_once_and_a_changed_one_beside_it():
    one = chartbooks.store(GAME, house_data())
    assert chartbooks.store(GAME, house_data()) == one
    assert chartbooks.store(GAME, blank("contact", "radio")) != one
    assert ChartBook.objects.count() == 2


def test_the_digest_does_not_depend_on_the_order_of_keys():
    data = house_data()
    turned = dict(reversed(data.items()))
    assert list(turned) != list(data)
    assert chartbooks.digest(turned) == chartbooks.digest(data)
    assert chartbooks.digest(blank("contact", "radio")) != chartbooks.digest(data)


@pytest.mark.django_db
def test_a_bad_book_is_not_stored_and_every_problem_is_listed():
    data = altered_data("contact", values={"radio": "often", "phone": 75, "plotted": 75})
    del data["charts"]["leaders"]
    data["charts"]["fft"]["provenance"] = "published"
    data["charts"]["horoscope"] = {}
    with pytest.raises(BadBook) as caught:
        chartbooks.store(GAME, data)
    problems = [str(problem) for problem in caught.value.problems]
    assert any(text.startswith("contact [radio]: ") for text in problems)
    assert "leaders: is missing" in problems
    assert any(text.startswith("fft [provenance]: ") for text in problems)
    assert "horoscope: is not a chart of this game" in problems
    assert all(text in str(caught.value) for text in problems)
    assert not ChartBook.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("data", [{}, {"game": "chess"}, {"game": GAME}, {"game": GAME, "charts": []}])
def test_what_is_no_book_of_the_game_is_refused(data):
    with pytest.raises(BadBook):
        chartbooks.store(GAME, data)
    assert not ChartBook.objects.exists()


@pytest.mark.django_db
def test_a_book_with_a_blank_cell_is_stored():
    assert chartbooks.store(GAME, blank("contact", "radio")).pk


# Blank cells


def test_a_roll_that_needs_a_blank_cell_names_the_chart_and_the_cell(maker):
    use(maker, blank("contact", "radio"))
    before = rows()
    title = house_data()["charts"]["contact"]["title"]
    message = f"This roll needs cell radio of the chart “{title}”, which is blank in the chart book in use."
    for dice in ({"die": "5", "dice": "table"}, {"dice": "app"}):
        response = maker.roll("contact", htmx=True, device="radio", **dice)
        assert response.status_code == 422
        assert message in words_of(response)
    fresh = words_of(maker.get("roll/contact/"))  # asks for it above the line
    assert f"{title}, radio" in fresh and LOOK_UP in fresh
    assert rows() == before
    assert maker.roll("contact", device="phone", die="5", dice="table").status_code == 302


def test_a_roll_that_does_not_need_the_blank_cell_is_made(maker):
    use(maker, blank("contact", "radio"))
    assert maker.roll("morale", tq="6", die="5", dice="table").status_code == 302


def test_json_names_the_chart_and_the_cell_too(client, monkeypatch):
    specs = registry.games()[GAME].chart_specs
    book = chartbooks.read_book(blank("contact", "radio"), specs)[0]
    monkeypatch.setattr(chartbooks, "shipped", lambda game: book)
    monkeypatch.setattr(drafts, "find_fixed", drafts.find_fixed.__wrapped__)  # which would remember this book's
    title = house_data()["charts"]["contact"]["title"]
    message = f"This roll needs cell radio of the chart “{title}”, which is blank in the chart book in use."
    for address in (json_of("contact"), odds_of("contact")):
        response = client.get(address, {"device": "radio", "die": "5"})
        assert response.status_code == 400
        assert response.json() == {"errors": {"": [message]}}
    assert client.get(json_of("contact"), {"device": "phone", "die": "5"}).status_code == 200
    response = client.post(page_of("contact"), {"device": "radio", "die": "5", "dice": "table"})
    assert response.status_code == 422
    assert message in words_of(response)
    assert message in words_of(client.get(page_of("contact")))
    assert "house" in text_of(client.get(f"/assist/{GAME}/charts/"))


def test_a_blank_cell_is_a_question_mark_on_the_page_of_charts(maker):
    use(maker, blank("contact", "radio"))
    assert "A book with a hole" in maker.see("charts/")
    assert "?" in maker.see("charts/").partition(house_data()["charts"]["contact"]["title"])[2][:200]


# Pinning


def test_a_pinned_book_survives_a_new_version(maker):
    pinned = maker.match.book
    changed = blank("contact", "radio")
    changed["charts"]["contact"]["values"]["radio"] = 5
    fresh = chartbooks.store(GAME, changed, shipped=True)
    maker.roll("contact", device="radio", die="50", dice="table")
    assert maker.last.result.headline == "Contact: 50 against 65."
    assert maker.match.book == pinned != fresh
    other = new_match(fresh)
    assert chartbooks.of_match(other)["contact"].get("radio") == 5
    assert chartbooks.of_match(maker.match)["contact"].get("radio") == 65


def test_a_past_result_is_what_it_was_when_the_match_takes_another_book(maker):
    maker.roll("contact", device="radio", die="50", dice="table")
    before = maker.last.result
    changed = blank("contact", "radio")
    changed["charts"]["contact"]["values"]["radio"] = 5
    use(maker, changed)
    assert maker.last.result == before
    assert "Contact: 50 against 65." in maker.see()


@pytest.mark.django_db
def test_a_book_in_use_cannot_be_deleted():
    from django.db.models import ProtectedError

    book = new_match().book
    with pytest.raises(ProtectedError):
        book.delete()


def test_the_book_is_parsed_once_for_all_requests(maker, django_assert_num_queries):
    match = Match.objects.select_related("book").get(pk=maker.match_id)
    chartbooks.of_match(match)
    with django_assert_num_queries(0):
        assert chartbooks.of_match(match) is chartbooks.of_match(match)
