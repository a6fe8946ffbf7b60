"""Acts: what each does to the match, what it leaves alone, and that taking back restores the state exactly."""

import uuid
from dataclasses import replace

import pytest

from firefight.columns import MatchState, Rolled
from firefight.engine.errors import BadInput
from firefight.games import registry
from firefight.games.chartbooks import of_match
from firefight.models import Act, LogEntry, Match
from firefight.table.act.performing import match_act
from firefight.table.act.refusals import Incomplete, Refused, Stale
from firefight.table.act.table import Table
from firefight.table.board import changing, counters
from firefight.table.consent import matters
from firefight.table.log import notes, reading
from firefight.table.rolling import advancing, rolls
from firefight.table.rolling.orders import RollOrder
from firefight.table.seats import sitting_down
from firefight.table.seats.seating import OBSERVER
from tests.firefight.players import GAME, rows

pytestmark = pytest.mark.django_db

KIND = LogEntry.Kind
UNITS = [{"kind": "squad", "name": "1st", "tq": 6}, {"kind": "leader", "name": "Klug", "tq": 8}]


def new_id():
    return str(uuid.uuid4())


def at(match, side="german", sides_held=None):
    """The table as this side's browser sees it now."""
    match = Match.objects.select_related("book").get(pk=match.pk)
    return Table(match, side, sides_held or (side,), tuple(match.seats.all()))


def order(match, slug, faces=None, source="table", step="", corrects=None, **values):
    helper = registry.helpers(GAME)[slug]
    form = helper.form.from_plain(values, book=of_match(at(match).match))
    assert form.is_valid(), form.errors
    return RollOrder(helper, form, source, faces or {}, step, corrects)


def roll(match, slug, faces=None, side="german", **options):
    return rolls.roll(at(match, side), new_id(), None, order(match, slug, faces, **options))


def fire_with_checks(match):
    """An attack whose result asks for two morale checks."""
    return roll(match, "fire", {"die": 34}, ff=8, units=UNITS)


def state(match):
    return Match.objects.get(pk=match.pk).state


def entries(match):
    return list(LogEntry.objects.filter(match=match).order_by("number"))


def version(match):
    return Match.objects.get(pk=match.pk).version


# A new match


def test_a_new_match_pins_the_shipped_book_and_logs_its_commitment(match):
    assert match.book.shipped
    (first,) = entries(match)
    assert (first.number, first.kind, first.side, first.act) == (1, KIND.SEAT, "", None)
    assert match.commitment in first.sentence
    assert match.seed not in first.sentence
    assert match.state == MatchState(
        turn=1, phase="command", impulse="german", record=registry.games()[GAME].record.defaults
    )
    assert {seat.side for seat in match.seats.all()} == {"german", "russian", OBSERVER}


def test_two_matches_have_different_seeds():
    game = registry.games()[GAME]
    assert sitting_down.new_match(game, "a", False)[0].seed != sitting_down.new_match(game, "b", False)[0].seed


# Rolls


def test_a_roll_from_the_table_is_logged_with_all_that_the_page_printed(match):
    done = rolls.roll(at(match), new_id(), 1, order(match, "morale", {"die": 8}, tq=6, modifier=1, name="1st"))
    (entry,) = done.entries
    stored = LogEntry.objects.get(pk=entry.pk)
    assert (stored.number, stored.kind, stored.side, stored.helper) == (2, KIND.ROLL, "german", "morale")
    assert stored.sentence == f"Morale Check. {stored.result.headline}"
    assert stored.inputs == {
        "name": "1st",
        "unit": "squad",
        "state": "good_order",
        "tq": 6,
        "modifier": 1,
        "other_drm": 0,
    }
    assert stored.rolls == (Rolled("die", "d10", 10, 8, "table"),)
    assert stored.result.outcome == "disrupted"
    assert stored.result.provenance[0].provenance == "text"
    assert done.match.version == version(match) == 2
    assert Match.objects.get(pk=match.pk).next_roll == 1


def test_dice_of_the_app_are_numbered_one_after_the_other(match):
    for _ in range(3):
        roll(match, "attack-or-hold", source="app", german="attack", russian="attack")
    numbers = [die.number for entry in entries(match) for die in entry.rolls]
    assert numbers == list(range(1, Match.objects.get(pk=match.pk).next_roll))


def test_a_roll_that_lacks_a_die_is_not_done(match):
    before = rows()
    with pytest.raises(Incomplete) as caught:
        roll(match, "morale", tq=6)
    assert caught.value.result.needs == ("die",)
    assert rows() == before


def test_a_roll_that_the_rule_refuses_is_not_done_and_uses_no_number(match):
    before = rows()
    with pytest.raises(BadInput):
        device = registry.helpers(GAME)["contact"].form.base_fields["device"].initial
        roll(match, "contact", source="app", device=device, marker="plot")
    assert rows() == before


def test_follow_ups_are_due_first_and_in_order(match):
    fire_with_checks(match)
    roll(match, "contact", {"die": 10})
    assert [step.title for step in state(match).queue] == [
        "Accuracy of the new CFF",
        "Morale Check: 1st",
        "Morale Check: Klug",
    ]
    assert [step.id for step in state(match).queue] == ["3-0", "2-0", "2-1"]


def test_what_may_settle_itself_is_filled_from_the_match_as_the_roll_has_left_it(match, monkeypatch):
    fills, rules = [], rolls.record_rules
    fill = rules.fill_step
    monkeypatch.setattr(
        rules, "fill_step", lambda table, step: fills.append((table.match.state, step)) or fill(table, step)
    )
    roll(match, "contact", {"die": 1}, device="radio", caliber=105, kind="battery", marker="new_cff", aim="K7")
    [(known, step)] = fills
    assert step.helper == "accuracy" and step in known.queue


def test_a_due_roll_is_struck_off_when_it_is_made(match):
    fire_with_checks(match)
    done = roll(match, "morale", {"die": 2}, step="2-1", tq=8, name="Klug")
    assert done.entries[0].sentence.startswith("Morale Check: Klug. ")
    assert [step.id for step in state(match).queue] == ["2-0"]


def test_a_due_roll_is_made_once(match):
    fire_with_checks(match)
    roll(match, "morale", {"die": 2}, step="2-0", tq=6)
    before = rows()
    with pytest.raises(Refused, match="no longer due"):
        roll(match, "morale", {"die": 2}, step="2-0", tq=6)
    assert rows() == before


def test_a_due_roll_is_not_struck_off_by_another_helper(match):
    fire_with_checks(match)
    before = rows()
    with pytest.raises(Refused, match="another roll"):
        roll(match, "fo-loss", {"die": 2}, step="2-0")
    assert rows() == before


def test_due_rolls_can_be_dropped_one_by_one_or_all(match):
    fire_with_checks(match)
    done = matters.drop(at(match), new_id(), None, "2-0")
    assert done.entries[0].sentence == "Not rolled: Morale Check: 1st."
    assert [step.id for step in state(match).queue] == ["2-1"]
    done = matters.drop(at(match), new_id(), None, "all")
    assert done.entries[0].sentence == "Not rolled: Morale Check: Klug."
    assert state(match).queue == ()


@pytest.mark.parametrize("step", ["", "all", "9-9"])
def test_nothing_is_dropped_where_nothing_is_due(match, step):
    before = rows()
    with pytest.raises(Refused):
        matters.drop(at(match), new_id(), None, step)
    assert rows() == before


# Ids, versions, and who may act


def test_a_repeated_id_answers_with_the_first_answer_and_adds_nothing(match):
    act = new_id()
    first = rolls.roll(at(match), act, 1, order(match, "fo-loss", source="app", item="radio"))
    before = rows()
    again = rolls.roll(at(match), act, 1, order(match, "fo-loss", source="app", item="radio"))
    assert [entry.pk for entry in again.entries] == [entry.pk for entry in first.entries]
    assert again.entries[0].result == first.entries[0].result
    assert rows() == before


def test_a_repeated_id_answers_even_after_the_match_has_moved_on_and_ended(match):
    act = new_id()
    first = notes.note(at(match), act, None, "hello")
    advancing.advance(at(match, "russian"), new_id(), None)
    matters.propose_end(at(match), new_id(), None)
    before = rows()
    assert notes.note(at(match), act, None, "something else").entries == first.entries
    assert rows() == before


def test_an_id_of_another_match_or_side_is_refused(match):
    act = new_id()
    notes.note(at(match), act, None, "hello")
    other = sitting_down.new_match(registry.games()[GAME], "Other", False)[0]
    before = rows()
    for table in (at(other), at(match, "russian")):
        with pytest.raises(Refused, match="another match or another side"):
            notes.note(table, act, None, "hello")
    assert rows() == before


@pytest.mark.parametrize("act", ["", "1", "nonsense", "\0", "x" * 500])
def test_a_form_without_an_act_id_is_refused(match, act):
    before = rows()
    with pytest.raises(Refused, match="act id"):
        notes.note(at(match), act, None, "hello")
    assert rows() == before


@pytest.mark.parametrize("version", [0, 1, 3, 999_999_999])
def test_a_stale_version_changes_nothing(match, version):
    notes.note(at(match), new_id(), None, "hello")
    before = rows()
    for do in (
        lambda: rolls.roll(at(match), new_id(), version, order(match, "fo-loss", source="app")),
        lambda: advancing.advance(at(match), new_id(), version),
        lambda: advancing.advance(at(match), new_id(), version, "impulse"),
        lambda: matters.drop(at(match), new_id(), version, "all"),
        lambda: matters.propose_take_back(at(match), new_id(), version),
        lambda: matters.answer(at(match), new_id(), version, True),
        lambda: matters.propose_end(at(match), new_id(), version),
    ):
        with pytest.raises(Stale, match="moved on"):
            do()
    assert rows() == before


def test_observers_do_nothing(match):
    before = rows()
    with pytest.raises(Refused, match="Observers watch"):
        notes.note(at(match, OBSERVER), new_id(), None, "hello")
    assert rows() == before


def test_an_ended_match_takes_no_more_acts(match):
    matters.propose_end(at(match), new_id(), 1)
    assert Match.objects.get(pk=match.pk).ended
    before = rows()
    for do in (advancing.advance, matters.propose_take_back, matters.propose_end):
        with pytest.raises(Refused, match="has ended"):
            do(at(match), new_id(), None)
    assert rows() == before


# Turn, notes


def test_the_turn_advances_phase_by_phase(match):
    sentences = [advancing.advance(at(match), new_id(), None).entries[0].sentence for _ in range(4)]
    assert sentences == [
        "Turn 1, Fire and Movement Phase.",
        "Turn 1, Melee Phase.",
        "Turn 1, Conclusion of Turn Phase.",
        "Turn 2, Command Phase.",
    ]


def test_the_turn_after_the_last_is_refused(match):
    last = MatchState(turn=7, phase="conclusion", impulse="german")
    Match.objects.filter(pk=match.pk).update(state=last)
    before = rows()
    with pytest.raises(Refused, match="Turn 7 is the last"):
        advancing.advance(at(match), new_id(), None)
    assert rows() == before


def test_the_impulse_passes_in_its_phase_only(match):
    with pytest.raises(Refused, match="Fire and Movement Phase"):
        advancing.advance(at(match), new_id(), None, "impulse")
    advancing.advance(at(match), new_id(), None)
    assert advancing.advance(at(match), new_id(), None, "impulse").entries[0].sentence == "Impulse: Russian."
    assert state(match).impulse == "russian"
    advancing.advance(at(match), new_id(), None, "impulse")
    assert state(match).impulse == "german"


def test_an_entry_can_be_annotated(match):
    done = notes.note(at(match, "russian"), new_id(), None, "we agreed on this", about=1)
    assert (done.entries[0].kind, done.entries[0].about) == (KIND.NOTE, 1)


@pytest.mark.parametrize("about", [0, 2, -1])
def test_an_entry_that_does_not_exist_cannot_be_annotated(match, about):
    before = rows()
    with pytest.raises(Refused, match="no entry"):
        notes.note(at(match), new_id(), None, "hm", about=about)
    assert rows() == before


def test_a_sealed_note_shows_that_it_was_written_and_not_what(match):
    (entry,) = notes.note(at(match), new_id(), None, "a gun in K7", sealed=True).entries
    assert (entry.kind, entry.sentence, entry.secret) == (KIND.SEALED, "German seals a note.", "a gun in K7")


def test_a_sealed_note_is_revealed_once_and_by_its_owner(match):
    sealed = notes.note(at(match), new_id(), None, "a gun in K7", sealed=True).entries[0].number
    with pytest.raises(Refused, match="no sealed note of your side"):
        notes.reveal(at(match, "russian"), new_id(), None, sealed)
    (revealed,) = notes.reveal(at(match), new_id(), None, sealed).entries
    assert revealed.sentence == f"German reveals № {sealed}."
    assert LogEntry.objects.get(match=match, number=sealed).revealed_by == revealed.number
    with pytest.raises(Refused):
        notes.reveal(at(match), new_id(), None, sealed)


def test_a_sealed_note_that_was_taken_back_cannot_be_revealed(match):
    sealed = notes.note(at(match), new_id(), None, "a gun in K7", sealed=True).entries[0].number
    matters.propose_take_back(at(match), new_id(), None)
    with pytest.raises(Refused):
        notes.reveal(at(match), new_id(), None, sealed)


# Corrections


def test_a_correction_voids_the_old_entry_and_edits_nothing_of_it(match):
    fire_with_checks(match)
    before = LogEntry.objects.filter(match=match, number=2).values("sentence", "rolls", "result", "inputs").get()
    done = roll(match, "fire", {"die": 99}, corrects=2, ff=8, units=UNITS)
    old = LogEntry.objects.get(match=match, number=2)
    assert (done.entries[0].number, done.entries[0].about, old.voided_by) == (3, 2, 3)
    assert {key: getattr(old, key) for key in before} == before


def test_a_correction_takes_the_old_rolls_follow_ups_off_the_list_and_puts_its_own_on(match):
    fire_with_checks(match)
    roll(match, "fire", {"die": 99}, corrects=2, ff=8, units=UNITS)
    assert state(match).queue == ()
    roll(match, "fire", {"die": 34}, corrects=3, ff=8, units=UNITS)
    assert [step.id for step in state(match).queue] == ["4-0", "4-1"]


@pytest.mark.parametrize(
    ("side", "options"),
    [
        ("russian", {"corrects": 2}),  # not his roll
        ("german", {"corrects": 3}),  # rolled by the app
        ("german", {"corrects": 4}),  # voided already
        ("german", {"corrects": 1}),  # no roll
        ("german", {"corrects": 77}),
    ],
)
def test_what_cannot_be_corrected(match, side, options):
    roll(match, "fo-loss", {"die": 4})
    roll(match, "fo-loss", source="app")
    roll(match, "fo-loss", {"die": 5})
    roll(match, "fo-loss", {"die": 6}, corrects=4)
    before = rows()
    with pytest.raises(Refused, match="Only your own roll"):
        roll(match, "fo-loss", {"die": 7}, side=side, **options)
    assert rows() == before


def test_a_correction_is_of_the_same_kind_of_roll(match):
    roll(match, "fo-loss", {"die": 4})
    before = rows()
    with pytest.raises(Refused, match="Only your own roll"):
        roll(match, "recovery", {"die": 4}, corrects=2)
    assert rows() == before


def test_a_correction_is_typed_and_not_rolled_anew(match):
    roll(match, "fo-loss", {"die": 4})
    before = rows()
    with pytest.raises(Refused, match="as they lay on the table"):
        roll(match, "fo-loss", source="app", corrects=2)
    assert rows() == before


# Taking back


def play_all(match):
    """One act of each kind that can be taken back, with the table it starts from."""
    yield "roll", lambda: fire_with_checks(match)
    yield "step", lambda: roll(match, "morale", {"die": 2}, step="2-0", tq=6)
    yield "correction", lambda: roll(match, "fire", {"die": 99}, corrects=2, ff=8, units=UNITS)
    yield "drop", lambda: matters.drop(at(match), new_id(), None, "all")
    yield "advance", lambda: advancing.advance(at(match), new_id(), None)
    yield "impulse", lambda: advancing.advance(at(match), new_id(), None, "impulse")
    yield "note", lambda: notes.note(at(match), new_id(), None, "hello", about=1)
    yield "sealed", lambda: notes.note(at(match), new_id(), None, "a gun", sealed=True)


def standing(match):
    """What the log says as it stands: every entry that is not void, and what is open of it."""
    return [
        (entry.number, entry.sentence, entry.secret, entry.revealed_by, entry.voided_by)
        for entry in entries(match)
        if entry.voided_by is None and entry.kind != KIND.TAKE_BACK
    ]


@pytest.mark.parametrize("name", ["roll", "step", "correction", "drop", "advance", "impulse", "note", "sealed"])
def test_state_after_act_and_take_back_equals_the_state_before_exactly(match, name):
    fire_with_checks(match)
    if name == "impulse":
        advancing.advance(at(match), new_id(), None)
    before, stood = state(match), standing(match)
    done = dict(play_all(match))[name]()
    assert state(match) != before or standing(match) != stood
    taken_back = matters.propose_take_back(at(match), new_id(), None)
    assert state(match) == before
    assert standing(match) == stood
    first, last = done.entries[0].number, done.entries[-1].number
    numbers = f"№ {first}" if first == last else f"№ {first} to {last}"
    assert taken_back.entries[0].sentence == f"Taken back: {numbers}."
    for entry in done.entries:
        assert LogEntry.objects.get(pk=entry.pk).voided_by == taken_back.entries[0].number


def test_a_reveal_that_is_taken_back_is_sealed_again(match):
    sealed = notes.note(at(match), new_id(), None, "a gun in K7", sealed=True).entries[0].number
    before, stood = state(match), standing(match)
    notes.reveal(at(match), new_id(), None, sealed)
    matters.propose_take_back(at(match), new_id(), None)
    matters.answer(at(match, "russian"), new_id(), None, agrees=True)
    assert (state(match), standing(match)) == (before, stood)
    assert reading.newest_lines(match, ("russian",))[-2].secret == ""


def test_acts_are_taken_back_one_after_the_other_down_to_the_beginning(match):
    states = []
    for do in (lambda: fire_with_checks(match), lambda: matters.drop(at(match), new_id(), None, "2-0"),
               lambda: advancing.advance(at(match), new_id(), None)):  # fmt: skip
        states.append(state(match))
        do()
    for expected in reversed(states):
        matters.propose_take_back(at(match), new_id(), None)
        assert state(match) == expected
    before = rows()
    with pytest.raises(Refused, match="nothing to take back"):
        matters.propose_take_back(at(match), new_id(), None)
    assert rows() == before


def test_numbers_of_entries_and_acts_have_no_gaps(match):
    fire_with_checks(match)
    with pytest.raises(Refused):
        matters.drop(at(match), new_id(), None, "9-9")
    matters.propose_take_back(at(match), new_id(), None)
    with pytest.raises(Incomplete):
        roll(match, "morale", tq=6)
    notes.note(at(match), new_id(), None, "hello")
    assert [entry.number for entry in entries(match)] == [1, 2, 3, 4]
    assert list(Act.objects.order_by("number").values_list("number", flat=True)) == [2, 3, 4]


@match_act()
def place_and_refuse(act, counter_id):
    before = counters.store_of(act.match).find(counter_id)
    changing.tell_changes(act, [(before, replace(before, place="K7"))])
    raise Refused("Not there.")


def test_what_a_refused_act_did_to_counters_is_not_shown_by_its_request(table):
    """The request that was refused draws the page from what it had read before."""
    table.german.do("counters/add/", side="german", list="1 NCO")
    seated = at(table.german.match)
    assert counters.store_of(seated.match).find("german-1").place == ""
    with pytest.raises(Refused, match="Not there"):
        place_and_refuse(seated, new_id(), seated.match.version, "german-1")
    assert counters.store_of(seated.match).find("german-1").place == ""
    assert [counter.place for counter in counters.store_of(seated.match).known(("german",))] == [""]
