"""A match without a ledger as a file: saved, opened again, branched off; what is refused changes nothing."""

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import HealthCheck, given
from hypothesis import settings as thorough
from hypothesis import strategies as st

from firefight.engine.rolls.dice import commitment, rolled_face
from firefight.games import chartbooks
from firefight.models import LogEntry, Match, Snapshot
from firefight.table.files import archive, making, saving, shape
from firefight.table.files.shape import LARGEST, BadArchive
from firefight.table.log import fairness, reading
from tests import pages
from tests.firefight.players import Player, links_in, rows, seated, text_of, words_of

pytestmark = pytest.mark.django_db

GERMAN, RUSSIAN = "GERMANSECRET in K7", "RUSSIANSECRET in L8"
IDENTITY = ("id", "commitment", "seed", "earlier_dice", "name", "ended", "digest")


def save(player, query=""):
    """The file that a browser gets, as plain values."""
    return player.get(f"archive.json{query}").json()


def send(data, side="german", client=None, **fields):
    """Open a file, with a browser that holds no seat; returns it, at the new match, and what it was sent."""
    player = Player()
    body = data if isinstance(data, bytes) else json.dumps(data).encode()
    fields = {"file": SimpleUploadedFile("match.json", body), "side": side, **fields}
    response = player.client.post("/match/import/", fields, follow=True)
    match = re.fullmatch(r"/match/(\w+)/file/", response.request["PATH_INFO"])
    player.match_id = match[1] if match else ""
    return player, response


def without_digests(data):
    """A file as it was written before lines had digests: whoever changes it is not found out."""
    data = json.loads(json.dumps(data))
    for line in data["log"]:
        for name in ("digest", "salt", "secret_digest", "voids", "app"):
            line.pop(name, None)
    del data["match"]["digest"]
    return {**data, "schema": 1}


def lasting(data):
    """A file without what a match made of it has of its own."""
    match = {name: value for name, value in data["match"].items() if name not in IDENTITY}
    data = {name: value for name, value in data.items() if name not in ("sealed", "keys")}
    return {**data, "match": match, "written": "", "log": data["log"], "chapters": data["chapters"]}


def told_by(response):
    """The problems that a page lists."""
    return pages.words_of_each(text_of(response), "#trouble li")


@pytest.fixture
def played(frozen):
    """A match with rolls of the app and of the table, a correction, a due roll, sealed notes, and a second turn."""
    return frozen("played", lambda: play(seated()))


def play(table):
    table.german.note(GERMAN, sealed="on")
    table.russian.note(RUSSIAN, sealed="on")
    table.german.note("opened soon", sealed="on")
    table.german.roll("fo-loss", dice="app")
    table.german.roll("fo-loss", die="4", dice="table")
    table.german.roll("fo-loss", die="8", dice="table", corrects=str(table.german.last.number))
    while table.german.match.state.turn == 1:
        table.german.do("advance/")
    table.german.do("reveal/", number="6")
    table.german.roll("fire", ff="8", die="34", units='[{"kind":"squad","tq":6}]', dice="table")
    assert table.german.match.state.queue
    return table


# The round trip


@pytest.mark.parametrize("role", ["german", "russian", "observer"])
def test_what_is_saved_opened_and_saved_again_is_the_same(played, role):
    saved = save(getattr(played, role))
    loaded = making.make_match(archive.read_archive(json.dumps(saved).encode()), hot_seat=False).match
    again = saving.dump_match(Match.objects.get(pk=loaded.pk), tuple(saved["sees"]))
    assert again["log"].pop()["sentence"].startswith(f"This match goes on from a file of “{saved['match']['name']}”")
    assert again["chapters"].pop() == {"number": len(saved["log"]) + 1, "label": "From a file"}
    assert json.loads(json.dumps(lasting(again))) == lasting(saved)
    assert again["match"]["name"] == saved["match"]["name"]


def test_the_app_says_what_the_file_is(played):
    response = played.german.get("archive.json")
    assert response["Content-Disposition"].startswith('attachment; filename="volga-friday-at-the-tractor-works-')
    assert response["Cache-Control"] == "no-store"
    saved = response.json()
    assert (saved["format"], saved["schema"], saved["sees"]) == ("volga-ledger archive", 5, ["german"])
    assert [line["number"] for line in saved["log"]] == list(range(1, played.german.match.last_number + 1))


def test_play_goes_on_in_the_opened_match(played):
    player, _ = send(save(played.german))
    assert player.match.state == played.german.match.state
    step = player.match.state.queue[0]
    response = player.roll(step.helper, step=step.id, chained="1", die="3", **{"tq": "6", "dice": "table"})
    assert response.status_code == 302, words_of(response)
    player.do("advance/")
    player.do("take-back/")
    assert player.last.sentence.startswith("Taken back")
    player.note("sealed anew", sealed="on")
    player.do("reveal/", number=str(player.last.number))
    assert player.get().status_code == player.get("dice/").status_code == player.get("file/").status_code == 200


def test_the_last_result_of_an_opened_match_is_its_newest_roll_alone(played):
    """Lines that a file brought have no act: those of two files are told apart by match, their rolls one by one."""
    data = save(played.german)
    for player in [send(data)[0], send(data)[0]]:
        standing = [line.number for line in player.log if line.kind == "roll" and line.voided_by is None]
        assert len(standing) > 1
        last = reading.last_results(player.match, ("german",))
        assert [(line.number, line.digest) for line in last] == [(standing[-1], player.log[standing[-1] - 1].digest)]


def test_nothing_of_before_the_file_is_taken_back(played):
    player, _ = send(save(played.german))
    response = player.do("take-back/")
    assert "There is nothing to take back." in words_of(response)
    assert player.match.acts.count() == 0


def test_the_maker_gets_the_links_for_the_others(played):
    player, response = send(save(played.german), side="russian")
    words = words_of(response)
    assert "This match goes on from a file of “" in words
    assert "Not in it: what the Russian held sealed." in words
    assert "cannot be taken back" in words
    seats = player.client.get(f"/match/{player.match_id}/seats/")
    assert links_in(seats).keys() == {"german", "observer"}
    assert player.match.seats.get(side="russian").claimed


def test_a_file_can_be_opened_for_one_device(played):
    player, _ = send(save(played.german), hot_seat="on")
    assert player.match.hot_seat
    assert "You are German" in player.see()
    player.client.post(f"/match/{player.match_id}/cover/")
    assert player.client.post(f"/match/{player.match_id}/lift/", {"side": "russian"}).status_code == 302


def test_the_charts_of_a_file_are_pinned_and_offered_to_nobody_else(played):
    saved = save(played.german)
    saved["charts"]["name"] = "From afar"
    player, _ = send(saved)
    assert player.match.book.name == "From afar"
    for browser in (Player(), player):
        for form in ("/campaign/new/", "/match/new/"):
            assert "From afar" not in text_of(browser.client.get(form))


def test_an_ended_match_stays_ended_and_its_dice_can_be_checked(played):
    played.german.do("end/", sure="on")
    played.russian.do("answer/", agrees="yes")
    saved = save(played.russian)
    assert commitment(bytes.fromhex(saved["match"]["seed"])) == saved["match"]["commitment"]
    player, _ = send(saved)
    assert player.match.ended
    report = fairness.check_log(player.get("log.json").json())
    assert report.is_complete and report.checked == saved["match"]["rolls_made"]


# Secrets


@pytest.mark.parametrize(
    ("role", "hidden"), [("german", [RUSSIAN]), ("russian", [GERMAN]), ("observer", [GERMAN, RUSSIAN])]
)
def test_a_file_holds_the_own_secrets_alone_and_never_the_seed(played, role, hidden):
    player = getattr(played, role)
    for query in ("", "?sides=all"):
        body = text_of(player.get(f"archive.json{query}"))
        for secret in (*hidden, player.match.seed):
            assert secret not in body
        for own in {GERMAN, RUSSIAN} - {*hidden}:
            assert own in body
    assert '"opened soon"' in body
    for seat in player.match.seats.all():
        assert not seat.token_hash or seat.token_hash not in body


def test_a_branch_holds_no_more_than_a_file(played):
    response = played.russian.send("branch/", {})
    player = Player(re.search(r"/match/(\w+)/file/", response["Location"])[1])
    secrets = " ".join(LogEntry.objects.filter(match=player.match_id).values_list("secret", flat=True))
    assert RUSSIAN in secrets and GERMAN not in secrets
    state = json.dumps(list(Snapshot.objects.filter(match=player.match_id).values_list("state", flat=True)))
    assert GERMAN not in state
    player.client = played.russian.client
    assert "what the German held sealed" in player.see("file/")


def test_one_device_saves_what_both_sides_know_unless_a_pin_parts_them(hot_seat):
    hot_seat.note(GERMAN, sealed="on")
    hot_seat.send("cover/", {})
    assert hot_seat.get("archive.json").status_code == 302  # to the cover
    hot_seat.send("lift/", {"side": "russian"})
    hot_seat.note(RUSSIAN, sealed="on")
    assert save(hot_seat)["sees"] == ["russian"]
    assert GERMAN not in text_of(hot_seat.get("archive.json"))
    both = save(hot_seat, "?sides=all")
    assert both["sees"] == ["german", "russian"] and GERMAN in json.dumps(both)
    assert "both sides" in hot_seat.see("file/")
    hot_seat.send("pin/", {"pin": "1234"})  # the own PIN keeps nothing from oneself
    assert save(hot_seat, "?sides=all")["sees"] == ["german", "russian"]
    hot_seat.send("cover/", {})
    hot_seat.send("lift/", {"side": "german"})
    assert save(hot_seat, "?sides=all")["sees"] == ["german"]
    assert RUSSIAN not in text_of(hot_seat.get("archive.json?sides=all"))
    response = hot_seat.send("branch/", {"hot_seat": "on"})
    branch = re.search(r"/match/(\w+)/file/", response["Location"])[1]
    assert RUSSIAN not in " ".join(LogEntry.objects.filter(match=branch).values_list("secret", flat=True))


def test_strangers_and_observers_neither_save_nor_branch(played):
    stranger = Player(played.german.match_id)
    for place in ("file/", "archive.json"):
        assert stranger.get(place).status_code == 403
    before = rows()
    assert stranger.send("branch/", {}).status_code == 403
    response = played.observer.send("branch/", {})
    assert response.status_code == 403 and "players branch off" in words_of(response)
    assert played.german.get("branch/").status_code == 405
    assert played.german.send("branch/", {"number": "77"}).status_code == 404
    assert rows() == before
    assert "Branch off" not in played.observer.see("file/")


# Dice


def test_nobody_can_branch_to_foresee_dice(played):
    """The branch's dice come from another seed: its rolls say nothing of those of the match."""
    original = played.german.match
    response = played.german.send("branch/", {})
    branch = Player(re.search(r"/match/(\w+)/file/", response["Location"])[1])
    branch.client = played.german.client
    assert branch.match.seed != original.seed
    assert branch.match.commitment in branch.log[-2].sentence  # the last says that the seat is taken
    for _ in range(8):
        branch.roll("contact", dice="app", device="radio")
    app_rolls = [roll for entry in branch.log for roll in entry.rolls if roll.source == "app"]
    fresh = [roll for roll in app_rolls if roll.number >= original.next_roll]
    own, foretold = (
        [rolled_face(bytes.fromhex(match.seed), roll.number, roll.sides) for roll in fresh]
        for match in (branch.match, original)
    )
    assert [roll.face for roll in fresh] == own != foretold
    for place in ("", "dice/", "log.json", "archive.json", "file/"):
        assert original.seed not in text_of(branch.get(place))


def test_the_dice_of_a_branch_are_checked_against_both_seals(played):
    last_roll = played.german.match.next_roll - 1
    assert last_roll
    response = played.german.send("branch/", {})
    branch = Player(re.search(r"/match/(\w+)/file/", response["Location"])[1])
    branch.client = played.german.client
    branch.roll("contact", dice="app", device="radio")
    branch.do("end/", sure="on")
    exported = branch.get("log.json").json()
    assert exported["earlier_dice"] == [
        {"match": played.german.match_id, "to": last_roll, "commitment": played.german.match.commitment, "seed": None}
    ]
    rolled = branch.match.next_roll - 1
    report = fairness.check_log(exported)
    assert (report.checked, report.problems, report.sealed) == (rolled - last_roll, (), last_roll)
    page = branch.see("dice/")
    assert played.german.match.commitment in page and "a seed that is not open" in page
    played.german.do("end/", sure="on")
    played.russian.do("answer/", agrees="yes")
    exported = branch.get("log.json").json()
    assert fairness.check_log(exported).is_complete and fairness.check_log(exported).checked == rolled
    assert "all of them fit the seed" in branch.see("dice/")


def test_a_match_that_has_not_rolled_since_adds_no_seal_of_its_own():
    seals = [{"match": name, "to": to, "commitment": name * 64, "seed": None} for name, to in (("a", 3), ("b", 7))]
    sealed_match = {"id": "c", "commitment": "c" * 64, "seed": None, "earlier_dice": seals}
    for rolls, matches in ((7, ["a", "b"]), (8, ["a", "b", "c"])):
        assert [seal.match for seal in making._seals({**sealed_match, "rolls_made": rolls})] == matches


# Branching


def branch_of(player, number="", **fields):
    """A browser at the branch of a match."""
    response = player.send("branch/", {"number": str(number), **fields})
    assert response.status_code == 302, words_of(response)
    branch = Player(re.search(r"/match/(\w+)/file/", response["Location"])[1])
    branch.client = player.client
    return branch


def test_a_branch_goes_on_from_a_snapshot_with_what_was_known_then(played):
    snapshot = played.german.match.snapshots.get(label="Turn 2")
    branch = branch_of(played.russian, snapshot.number)
    assert branch.match.name == "Friday at the Tractor Works, what if"
    assert (branch.match.state.turn, branch.match.state.queue) == (2, ())
    opened = played.german.log[5]
    assert opened.secret == "opened soon" and opened.revealed_by
    sealed_line = branch.log[5]
    assert (sealed_line.kind, sealed_line.secret, sealed_line.revealed_by) == ("sealed", "", None)
    assert branch_of(played.german, snapshot.number).log[5].secret == "opened soon"
    assert len([line for line in branch.log if line.number <= snapshot.number]) == snapshot.number
    assert branch.log[snapshot.number].sentence.startswith(
        "This match branches off from “Friday at the Tractor Works”, at № "
    )


def test_marks_that_point_beyond_a_snapshot_are_not_set_in_it(played):
    branch = branch_of(played.german, 1)
    assert [line.sentence[:16] for line in branch.log] == ["The match begins", "This match branc", "German takes the"]
    assert branch.match.next_roll == 1 and branch.match.earlier_dice == ()
    late = branch_of(played.german, played.german.match.snapshots.get(label="Turn 2").number)
    assert sum(bool(line.voided_by) for line in late.log) == sum(bool(line.voided_by) for line in played.german.log)


def test_a_branch_goes_by_the_charts_of_its_snapshot(played):
    match = played.german.match
    other = chartbooks.store(match.game, {**match.book.data, "name": "Another book"})
    Match.objects.filter(pk=match.pk).update(book=other)
    assert branch_of(played.german).match.book == other
    assert branch_of(played.german, 1).match.book == match.book


def test_a_branch_changes_nothing_of_its_match(played):
    before = [
        list(model.objects.filter(**{key: played.german.match_id}).values())
        for model, key in ((Match, "pk"), (LogEntry, "match"), (Snapshot, "match"))
    ]
    branch_of(played.german)
    branch_of(played.german, 1, hot_seat="on").roll("fo-loss", dice="app")
    assert before == [
        list(model.objects.filter(**{key: played.german.match_id}).values())
        for model, key in ((Match, "pk"), (LogEntry, "match"), (Snapshot, "match"))
    ]


def test_a_branch_of_an_ended_match_is_open(played):
    played.german.do("end/", sure="on")
    played.russian.do("answer/", agrees="yes")
    assert branch_of(played.german).roll("fo-loss", dice="app").status_code == 302


def test_a_new_turn_is_a_chapter_until_it_is_taken_back(table):
    def labels():
        return list(table.german.match.snapshots.order_by("number").values_list("label", flat=True))

    while table.german.match.state.turn == 1:
        table.german.do("advance/")
    assert labels() == ["The beginning", "Turn 2"]
    table.german.do("take-back/")
    assert labels() == ["The beginning"]
    table.german.do("advance/")
    assert labels() == ["The beginning", "Turn 2"]


def test_an_act_and_its_take_back_leave_the_file_as_it_was(played):
    def file_content():
        dumped = saving.dump_match(played.german.match, ("german", "russian"))
        grown = {"version": 0, "rolls_made": 0, "digest": ""}
        return {**dumped, "log": 0, "written": 0, "match": {**dumped["match"], **grown}}

    before = file_content()
    played.german.do("advance/")
    assert file_content() != before
    played.german.do("take-back/")
    assert file_content() == before


# What is refused


def test_the_page_says_what_to_choose():
    response = Player().client.post("/match/import/", {"side": "german"})
    assert response.status_code == 422
    assert "Choose a file" in words_of(response)
    assert Player().client.get("/match/import/").status_code == 200


def test_a_side_must_be_one_of_the_games(played):
    before = rows()
    _, response = send(save(played.german), side="roman")
    assert response.status_code == 422 and told_by(response) == ["Choose your side."]
    assert rows() == before


def changed(data, place, value):
    """A copy of a file with one value changed; a place is a path such as match.state.turn, "-" deletes."""
    data = json.loads(json.dumps(data))
    *path, last = (int(part) if part.isdigit() else part for part in place.split("."))
    container = data
    for part in path:
        container = container[part]
    if value == "-":
        del container[last]
    else:
        container[last] = value
    return data


STEP = {"id": "1-1", "helper": "morale", "title": "Morale Check", "inputs": {"name": "x" * 9_000}}
LONG_QUEUE = [STEP] * 23  # each of which might stand alone
BAD = {
    "format": ("another", "That is not a file of a match"),
    "schema": (6, "A newer version of the app wrote this file (schema 6; this one reads 5)."),
    "match.game": ("chess", "this app does not know that game"),
    "match.name": ("x" * 61, "match, name: should be a text of 1 to 60 characters."),
    "match.state.turn": (8, "match, state, turn: should be a whole number from 1 to 7."),
    "match.state.phase": ("siesta", "match, state, phase: should be one of"),
    "match.state.queue.0.helper": ("magic", "match, state, queue 1, helper: should be one of"),
    "match.state.queue.0.inputs": ({"a": "x" * 9_999}, "state, queue 1: is too long, at most 10,000 characters."),
    "match.state.queue": (LONG_QUEUE, "match, state, queue: is too long, at most 200,000 characters."),
    "match.seed": ("0" * 64, "match, seed: is opened when a match ends"),
    "match.rolls_made": (9, "the numbers of the app's rolls are not 1 to 9"),
    "match.commitment": ("-", "match, commitment: is missing."),
    "match.colour": ("red", "match, colour: is not known here."),
    "sees": (["german", "german"], "sees: holds something twice."),
    "log.3": ("-", "the numbers of its"),
    "log.4.number": (True, "log 5, number: should be a whole number"),
    "log.4.about": (4_000, "log 5: points to a line that it cannot point to."),
    "log.4.secret": ("peeked", "holds a secret of a side whose secrets are not in this file"),
    "log.2.sentence": ("x" * 20_001, "log 3, sentence: should be a text"),
    "log.2.at": ("yesterday", "log 3, at: should be a time"),
    "log.7.rolls.0.face": (77, "a die shows what it cannot show"),
    "log.7.result.modifiers": (5, "log 8, result, modifiers: should be a list"),
    "log.7.inputs": ({"a": "x" * 20_000}, "log 8, inputs: is too long, at most 20,000 characters."),
    "log.7.result.effects": (["x" * 19_000] * 8, "log 8, result: is too long, at most 150,000 characters."),
    "log.7.helper": ("-", "log 8: a roll has a helper and a result"),
    "charts.charts.morale": ("-", "morale: is missing"),
    "charts.charts.contact.values.radio": (70, "is marked text, but is not what the rulebook's text gives"),
    "charts.charts.aircraft.provenance": ("text", "is marked text, but is not what the rulebook's text gives"),
    "charts.game": ("chess", "charts, game: should be combat-stalingrad."),
    "ledger": ([], "ledger: should be a table."),
    "chapters": ([{"number": 900, "label": "Later"}], "chapters: do not follow each other"),
    "charts.charts.map.title": (None, "charts, map [title]: should be a text of 1 to 80 characters"),
    "charts.charts.fft.note": ("x", "charts, fft [note]: is not known here"),
    "charts.charts.accuracy.bands": ([["1-100", "9" * 99]], "A cell holds at most 80 characters"),
}


@pytest.mark.parametrize("place", BAD)
def test_a_file_with_one_wrong_value_is_refused_with_the_reason(played, place):
    value, reason = BAD[place]
    before = rows()
    _, response = send(changed(save(played.german), place, value))
    assert response.status_code == 422
    assert reason in words_of(response)
    assert rows() == before


def test_a_note_about_a_sheet_names_it(played):
    played.german.note("a bare note")
    data = save(played.german)
    _, response = send(changed(data, f"log.{len(data['log']) - 1}.inputs", {"sheet": [1]}))
    assert told_by(response) == [f"log {len(data['log'])}, inputs, sheet: should be a text of 0 to 200 characters."]


@pytest.mark.parametrize("schema", [0, -1, True, None, "1", 1.5, {}])
def test_a_schema_that_no_version_writes_is_refused(played, schema):
    with pytest.raises(BadArchive, match="No version of the app writes such a schema"):
        archive.read_archive(json.dumps({**save(played.german), "schema": schema}).encode())


def test_several_problems_are_listed_together_and_not_without_end(played):
    saved = changed(save(played.german), "match.state.turn", "ten")
    saved["log"] = [{**line, "kind": "magic"} for line in saved["log"]] * 4
    _, response = send(saved)
    assert len(told_by(response)) == shape.MOST_PROBLEMS + 1
    assert told_by(response)[-1].startswith("And ")


NO_JSON = (b"", b"nonsense", b"\xff\xfe\x00", b"[" * 200_000, b"9" * 10_000, b'{"a": NaN}', b'{"a": 1e999}', b"null")
NO_JSON += (b'{"a": "\\u0000"}', b'{"a": "\\ud800"}', b'{"a": 1, "a": 2}', b'"volga"', b"[]", b'{"format": []}')


@pytest.mark.parametrize("body", NO_JSON)
def test_what_is_no_file_of_a_match_is_refused(body, client, db):
    before = rows()
    _, response = send(body)
    assert response.status_code == 422
    assert len(told_by(response)) == 1
    assert rows() == before


def test_a_truncated_file_is_refused(played):
    body = json.dumps(save(played.german)).encode()
    for length in range(0, len(body), 4_001):
        with pytest.raises(BadArchive, match="cut off"):
            archive.read_archive(body[:length])


def test_an_enormous_file_is_refused_before_it_is_read(played):
    _, response = send(b" " * (LARGEST + 1))
    assert response.status_code == 422 and "too large: at most 7 MB" in words_of(response)
    with pytest.raises(BadArchive, match="at most 16 MB and 900,000 values"):
        archive.read_archive(b"[" + b"{}," * 900_000 + b"0]")
    _, response = send(b" " * 9_100_000)
    assert response.status_code == 400


def test_a_backslash_that_somebody_typed_is_no_nul(table):
    table.german.note(r"C:\u0000 and \\u0000")
    player, response = send(save(table.german))
    assert response.status_code == 200 and player.log[-3].sentence == r"C:\u0000 and \\u0000"


def test_what_a_file_says_is_escaped(played):
    saved = without_digests(save(played.german))
    evil = "<script>alert(1)</script>"
    saved = changed(changed(saved, "log.2.sentence", evil), "match.name", evil)
    saved["log"][7]["result"]["headline"] = evil
    player, response = send(saved)
    for page in (response, player.get(), player.get("log/"), player.get("dice/"), player.client.get("/")):
        assert page.status_code == 200
        assert evil not in text_of(page)


PAGES = ("", "log/", "log.json", "charts/", "dice/", "seats/", "file/", "archive.json", "roll/fire/", "roll/morale/")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 10**6) | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def somewhere(draw, data):
    """A table or list inside plain values and a key in it, found by going in a few steps: what is small is hit, too."""
    container, key = data, draw(st.sampled_from(keys_of(data)))
    while keys_of(container[key]) and draw(st.integers(0, 3)):
        container = container[key]
        key = draw(st.sampled_from(keys_of(container)))
    return container, key


def keys_of(value):
    """The names or places in plain values."""
    return sorted(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []


def mutated(draw, data):
    """A file with a few values dropped, replaced, doubled, or put where others stood."""
    data = json.loads(json.dumps(data))
    for _ in range(draw(st.integers(1, 3))):
        if not keys_of(data):
            break
        (container, key), (other_container, other) = somewhere(draw, data), somewhere(draw, data)
        match draw(st.sampled_from(("drop", "replace", "shift", "double", "move"))):
            case "drop":
                del container[key]
            case "shift" if isinstance(container[key], int):
                container[key] = int(container[key]) + draw(st.sampled_from((-1, 1, 2, -5)))
            case "double" if isinstance(container, list):
                container.append(container[key])
            case "move":
                container[key] = json.loads(json.dumps(other_container[other]))
            case _:
                container[key] = draw(JSON)
    return data


@thorough(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_a_spoilt_file_is_refused_or_makes_a_sound_match(played, data):
    saved = save(played.german)
    spoilt = mutated(data.draw, without_digests(saved) if data.draw(st.booleans()) else saved)
    before = rows()
    player, response = send(spoilt)
    if player.match_id:
        for place in PAGES:
            assert player.get(place).status_code == 200, place
    else:
        assert response.status_code == 422 and told_by(response)
        assert rows() == before


@thorough(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(max_size=60) | JSON.map(lambda value: json.dumps(value).encode()))
def test_anything_else_is_refused(db, body):
    with pytest.raises(BadArchive) as refusal:
        archive.read_archive(body)
    assert refusal.value.problems
