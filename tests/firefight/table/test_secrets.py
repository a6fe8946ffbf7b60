"""Secrets: planted in a match, then searched for in every answer to everybody who must not have them."""

import pytest

from firefight.models import Match
from tests.firefight.players import GAME, Player, begin, rows, seated, text_of
from tests.routes import list_places, route_of

pytestmark = pytest.mark.django_db

GERMAN = "GERMANSECRET in K7"
RUSSIAN = "RUSSIANSECRET in L8"
SECRETS = {"german": GERMAN, "russian": RUSSIAN}

# Places of a match, and the fields that acts and queries take, good enough to get past the first checks.
READ = ("", "log/", "log/?before=99", "log.json", "charts/", "dice/", "seats/", "cover/", "live/?version=1&after=0")
READ += ("now.json", "now.json?after=1", "step.json")
READ += ("board/", f"board/{'0' * 16}.svg", f"board/{'0' * 16}.css")
READ += ("content/", "content/places.txt")
READ += ("hands/", "hands/?as=german", "file/", "archive.json", "archive.json?sides=all")
READ += (
    "honours/",
    "photos/",
    "photos/4.jpg",
    "report/",
    "report/all/",
    "report.md",
    "report.pdf",
    "record/",
    "record.json",
)
READ += ("pack/", "pack.pdf", "pack.pdf?sheet=own", "pack.pdf?sheet=own&paper=letter")
READ += ("missions.json", "aircraft.json", "sets.json", "ground.json", "rows/missions/")
READ += ("rows/missions/russian-1/", "rows/ground/german:C5/", "roll/contact/?mission=russian-1&aim=K7")
READ += (
    "counters.json",
    "counters/",
    "counters/sheets/",
    "counters/?side=russian",
    "log/?about=german-1",
    "log/?about=russian-1",
)
READ += ("log/?place=K7", "log/?side=german&kind=note", "log/?side=russian&kind=counter", "log/7/")
READ += (
    "table/",
    "hand/?chosen=german-1",
    "hand/?chosen=russian-1",
    "hand/?chosen=russian-1&move=1",
    "due/",
    "roll/fire/?firers=german-1&targets=russian-1",
)
READ += (
    "calls/",
    "files/",
    "live/",
    "roll/fo-loss/",
    "roll/fo-loss/?again=7",
    "roll/morale/?corrects=7",
    "roll/fire/?step=6-0",
    *(f"log/all/{number}/" for number in (4, 5, 8, 12, 13)),
)
ACT = ("advance/", "drop/", "note/", "reveal/", "take-back/", "back/", "answer/", "end/", "pin/", "seats/issue/")
ACT += ("calls/", "files/", "over/", "counters/sheets/", "content/")
ACT += ("seats/put-out/", "seats/lost/", "seats/network/", "seats/here/", "sit/", "record/", "rows/", "roll/contact/")
ACT += (
    "counters/",
    "counters/add/",
    "counters/undo/",
    "counters/value/",
    "counters/pips/",
    "photos/",
    "report/share/",
    "proposed/",
    "option/",
    "lesson/",
    "step/",
    "lead/",
    "due/",
    "melee/",
)
ACT += ("branch/", "delete/", "charts/", "cover/", "lift/", "roll/morale/", "roll/morale/odds/", "roll/fire/")
OUTSIDE = ("/", "/assist/", f"/assist/{GAME}/", f"/assist/{GAME}/reference/", f"/assist/{GAME}/charts/", "/dice/")
OUTSIDE += (f"/assist/{GAME}/fire/", f"/assist/{GAME}/fire.json", "/match/new/", "/match/import/", "/claim/")
FIELDS = {
    "text": "hello",
    "number": "4",
    "do": "ask",
    "step": "9-9",
    "agrees": "no",
    "side": "",
    "pin": "x",
    "tq": "7",
    "dice": "table",
    "mission": "russian-1",
    "field": "ground",
    "part-hex": "C5",
    "id": ["german-1", "russian-1"],
    "place": "K7",
    "targets": ["german-1", "russian-1"],
}


JSON = {"Accept": "application/json"}


def is_printed(place):
    """Whether an address gives a sheet of paper, which is the same however it is asked for."""
    return ".pdf" in place


def answers(player):
    """Every answer that a browser gets in a match, as page and as fragment, reading first and then acting."""
    for place in READ:
        yield place, player.get(place)
        if not is_printed(place):
            yield place, player.get(place, htmx=True)
    for place in OUTSIDE:
        yield place, player.client.get(place)
    for place in ACT:
        yield place, player.do(place, True, after=0, **FIELDS)
        yield place, player.do(place, **FIELDS)
        yield place, player.send(place, {"after": "0"}, True)
        yield place, player.client.post(f"/match/{player.match_id}/{place}", {**player.stamp, **FIELDS}, headers=JSON)


def search(player, *secrets):
    """Fail where one of the secrets turns up. Returns how many answers were searched."""
    searched = list(answers(player))
    for place, response in searched:
        assert response.status_code < 500, place
        sent = text_of(response) + str(response.headers) + str(response.cookies)
        for secret in secrets:
            assert secret not in sent, (place, response.status_code)
            assert secret.split()[0] not in sent, (place, response.status_code)
    return len(searched)


def secret_side(secret):
    """Whose secret it is."""
    return next(side for side, words in SECRETS.items() if words == secret)


def plant():
    """Sealed notes of both sides in the middle of play, one of them taken back, another opened and closed again."""
    table = seated()
    table.german.note(GERMAN, sealed="on")
    table.russian.note(RUSSIAN, sealed="on")
    table.german.do("rows/", field="ground", **{"part-hex": "C5", "part-known_to": "german", "part-note": GERMAN})
    sealed = {"plotted": "yes", "known_to": "russian", "plot": "K7, L8", "plot_turn": "1", "name": RUSSIAN}
    table.russian.do("rows/", field="missions", **{f"part-{name}": value for name, value in sealed.items()})
    for player, counter, secret in ((table.german, "NCO", GERMAN), (table.russian, "Commissar", RUSSIAN)):
        player.do("counters/add/", list=f"{secret_side(secret)}: {counter}")
        player.do("counters/", id=f"{secret_side(secret)}-1", hidden="on")
        player.do("counters/", id=f"{secret_side(secret)}-1", note=secret, place="Q17")
    table.german.roll("fire", ff="8", die="34", units='[{"kind":"squad","tq":6}]', dice="table")
    table.german.roll("morale", tq="6", die="3", dice="table")
    table.russian.note(RUSSIAN + " taken back", sealed="on")
    table.russian.do("take-back/")
    table.german.do("reveal/", number=4)
    assert table.german.log[3].revealed_by is not None
    table.german.do("take-back/")
    table.russian.do("answer/", agrees="yes")
    assert table.german.log[3].revealed_by is None
    return table


@pytest.fixture
def planted(frozen):
    """Such a match."""
    return frozen("secrets", plant)


def test_the_search_knows_every_address_of_a_match():
    assert list_places() == {route_of(place) for place in (*READ, *ACT)}


def test_the_owner_is_sent_his_secret(planted):
    assert GERMAN in text_of(planted.german.get())
    assert GERMAN in text_of(planted.german.get("log.json"))
    assert GERMAN in text_of(planted.german.get("log/"))
    for place in ("ground.json", "rows/ground/german:C5/", "record.json"):
        assert GERMAN in text_of(planted.german.get(place))
    for place in ("counters.json", "hand/?chosen=german-1", "log/?about=german-1"):
        assert GERMAN in text_of(planted.german.get(place))
    for place in ("missions.json", "rows/missions/russian-1/", ""):
        assert RUSSIAN in text_of(planted.russian.get(place))
    sealed = max(line.number for line in planted.german.log if GERMAN in line.secret)
    assert GERMAN in text_of(planted.german.get("live/", htmx=True, version=1, after=sealed - 1))


def seed():
    """The seed of the match's dice, in both spellings: a secret before everybody until the end."""
    digits = Match.objects.get().seed
    return digits, digits.upper()


@pytest.mark.parametrize(("role", "hidden"), [("german", RUSSIAN), ("russian", GERMAN)])
def test_no_answer_to_a_side_holds_the_other_sides_secret_or_the_seed(planted, role, hidden):
    assert search(getattr(planted, role), hidden, *seed()) > 60


def test_no_answer_to_an_observer_holds_a_secret_or_the_seed(planted):
    search(planted.observer, GERMAN, RUSSIAN, *seed())


def test_no_answer_to_a_stranger_holds_a_secret(planted):
    search(Player(planted.german.match_id), GERMAN, RUSSIAN)


def test_no_answer_to_a_player_of_another_match_holds_a_secret(planted):
    stranger, _ = begin(name="Other")
    stranger.match_id = planted.german.match_id
    search(stranger, GERMAN, RUSSIAN)


def test_the_end_of_the_match_opens_no_sealed_note(planted):
    planted.german.do("end/", sure="on")
    planted.russian.do("answer/", agrees="yes")
    search(planted.russian, GERMAN)
    search(planted.observer, GERMAN, RUSSIAN)


def test_nothing_is_hidden_any_more_once_it_is_revealed(planted):
    planted.german.do("reveal/", number=4)
    for player in (planted.russian, planted.observer):
        assert GERMAN in text_of(player.get("log/"))
        assert RUSSIAN not in text_of(planted.german.get("log/"))


def test_nobody_reveals_the_other_sides_note(planted):
    before = rows()
    assert planted.russian.do("reveal/", number=4).status_code == 403
    assert rows() == before


def test_a_copy_of_the_owners_act_does_not_answer_with_the_secret(planted):
    act = planted.german.log[3].act_id
    response = planted.russian.note("x", act=str(act), after=0)
    assert response.status_code == 403
    assert GERMAN not in text_of(response)


# Hot-seat


@pytest.fixture
def shared():
    """One device with a sealed note of each side, acting as Russian."""
    player = begin(hot_seat=True)[0]
    player.note(GERMAN, sealed="on")
    player.send("cover/", {})
    player.send("lift/", {"side": "russian"})
    player.note(RUSSIAN, sealed="on")
    return player


def test_the_same_device_is_sent_only_what_its_acting_side_may_see(shared):
    assert RUSSIAN in text_of(shared.get())
    for place in READ:
        # With no PIN the other side is one press away, and the match's file holds what both know.
        if not place.startswith(("cover", "archive.json?sides=all")):
            assert GERMAN not in text_of(shared.client.get(f"/match/{shared.match_id}/{place}")), place


def test_nothing_under_the_cover_holds_a_secret(shared):
    shared.send("cover/", {})
    search(shared, GERMAN, RUSSIAN)


def test_the_cover_names_the_match_and_the_sides_only(shared):
    shared.note("an open note")
    shared.roll("fo-loss", die="4", dice="table")
    shared.send("cover/", {})
    cover = text_of(shared.get("cover/"))
    for part in ("an open note", "radio", "Turn 1", "№"):
        assert part not in cover
