"""What needs both sides: taking back, another chart book, the end; and which acts a side takes back first."""

import pytest

from firefight.models import ChartBook, LogEntry, Match
from firefight.table.act.refusals import Refused
from firefight.table.consent import matters
from firefight.table.log import notes
from firefight.table.seats.seating import OBSERVER
from tests import pages
from tests.firefight.players import begin, rows, sit, text_of, words_of
from tests.firefight.table.test_acts import at, entries, new_id, roll, state

pytestmark = pytest.mark.django_db

GERMAN, RUSSIAN = "german", "russian"


def seat_both(match):
    """Both sides have taken their seats."""
    match.seats.update(claimed=match.created)


def propose(do, match, side=GERMAN, *args, sides_held=None):
    return do(at(match, side, sides_held), new_id(), None, *args).entries[0].sentence


def answer(match, side, agrees, sides_held=None):
    return matters.answer(at(match, side, sides_held), new_id(), None, agrees).entries[0].sentence


# Taking back


def test_dice_of_the_app_make_the_other_sides_word_necessary(match):
    before = state(match)
    roll(match, "contact", source="app")
    after = state(match)
    proposal = matters.propose_take_back(at(match), new_id(), None)
    assert proposal.entries[0].sentence == "German asks to take back № 2."
    assert state(match) == after
    assert LogEntry.objects.get(match=match, number=2).voided_by is None
    answered = matters.answer(at(match, "russian"), new_id(), None, agrees=True)
    assert answered.entries[0].sentence == "Taken back: № 2."
    assert state(match) == before
    assert Match.objects.get(pk=match.pk).proposal is None


def test_the_other_side_may_let_it_stand(match):
    roll(match, "contact", source="app")
    after = state(match)
    matters.propose_take_back(at(match), new_id(), None)
    answered = matters.answer(at(match, "russian"), new_id(), None, agrees=False)
    assert answered.entries[0].sentence == "Russian lets № 2 stand."
    assert state(match) == after
    assert LogEntry.objects.get(match=match, number=2).voided_by is None


def test_a_taken_back_roll_keeps_its_number(match):
    roll(match, "fo-loss", source="app")
    matters.propose_take_back(at(match), new_id(), None)
    matters.answer(at(match, "russian"), new_id(), None, agrees=True)
    roll(match, "fo-loss", source="app")
    assert [die.number for entry in entries(match) for die in entry.rolls] == [1, 2]


def test_the_other_sides_act_is_not_taken_back_freely(match):
    notes.note(at(match), new_id(), None, "hello")
    matters.propose_take_back(at(match, "russian"), new_id(), None)
    assert Match.objects.get(pk=match.pk).proposal.by == "russian"
    assert LogEntry.objects.get(match=match, number=2).voided_by is None


def test_nobody_agrees_with_himself(match):
    roll(match, "fo-loss", source="app")
    matters.propose_take_back(at(match), new_id(), None)
    before = rows()
    with pytest.raises(Refused, match="your own proposal"):
        matters.answer(at(match), new_id(), None, agrees=True)
    assert rows() == before


def test_nothing_is_granted_that_was_not_asked(match):
    roll(match, "fo-loss", source="app")
    before = rows()
    with pytest.raises(Refused, match="Nothing is proposed"):
        matters.answer(at(match, "russian"), new_id(), None, agrees=True)
    assert rows() == before


def test_play_that_goes_on_ends_the_question(match):
    roll(match, "fo-loss", source="app")
    matters.propose_take_back(at(match), new_id(), None)
    notes.note(at(match, "russian"), new_id(), None, "let us go on")
    with pytest.raises(Refused, match="Nothing is proposed"):
        matters.answer(at(match, "russian"), new_id(), None, agrees=True)


def test_at_one_device_both_confirm(match):
    both = (GERMAN, RUSSIAN)
    roll(match, "fo-loss", source="app")
    propose(matters.propose_take_back, match, sides_held=both)
    with pytest.raises(Refused, match="your own proposal"):
        answer(match, GERMAN, True, sides_held=both)
    Match.objects.filter(pk=match.pk).update(hot_seat=True)
    with pytest.raises(Refused, match="your own proposal"):
        answer(match, GERMAN, True, sides_held=(GERMAN, OBSERVER))
    assert LogEntry.objects.get(match=match, number=2).voided_by is None
    assert answer(match, GERMAN, True, sides_held=both) == "Taken back: № 2."


def test_a_side_takes_back_its_own_last_act_first_with_what_was_done_since_once_the_other_agrees(match):
    before = state(match)
    roll(match, "contact", {"die": 50})
    roll(match, "morale", {"die": 9}, side=RUSSIAN, tq=6)
    assert propose(matters.propose_take_back, match) == "German asks to take back № 2 to 3."
    pending = matters.describe_pending(at(match, RUSSIAN))
    assert [line.split(":")[0] for line in pending.lines] == ["№ 2, German", "№ 3, Russian"]
    assert (pending.mine, matters.describe_pending(at(match)).mine) == (False, True)
    reading = at(match)  # a page that reads while the other side answers
    assert answer(match, RUSSIAN, True) == "Taken back: № 2 to 3."
    assert matters.describe_pending(reading) is None
    assert state(match) == before


def test_the_other_sides_own_last_act_goes_freely_although_it_is_asked_for_nothing_else(match):
    roll(match, "contact", {"die": 50})
    after = state(match)
    roll(match, "morale", {"die": 9}, side=RUSSIAN, tq=6)
    assert propose(matters.propose_take_back, match, RUSSIAN) == "Taken back: № 3."
    assert state(match) == after


def test_an_own_note_goes_freely_although_the_other_side_has_acted_since(match):
    notes.note(at(match), new_id(), None, "hello")
    roll(match, "morale", {"die": 9}, side=RUSSIAN, tq=6)
    after = state(match)
    assert propose(matters.propose_take_back, match) == "Taken back: № 2."
    assert state(match) == after
    assert [entry.voided_by for entry in entries(match)] == [None, 4, None, None]


def test_a_proposal_can_be_withdrawn(match):
    roll(match, "fo-loss", source="app")
    propose(matters.propose_take_back, match)
    assert answer(match, GERMAN, False) == "German withdraws the wish to take back № 2."
    assert Match.objects.get(pk=match.pk).proposal is None


# The end


def test_a_match_with_two_players_ends_when_both_agree(match):
    seat_both(match)
    assert propose(matters.propose_end, match) == "German asks to end the match."
    assert Match.objects.get(pk=match.pk).ended is None
    with pytest.raises(Refused, match="your own proposal"):
        answer(match, GERMAN, True)
    assert answer(match, RUSSIAN, False) == "Russian plays on."
    assert Match.objects.get(pk=match.pk).proposal is None
    propose(matters.propose_end, match)
    assert answer(match, RUSSIAN, True) == "The match ends; the dice can be checked."
    assert Match.objects.get(pk=match.pk).ended


def test_who_is_alone_ends_the_match_alone(match):
    assert propose(matters.propose_end, match).startswith("The match ends")
    assert Match.objects.get(pk=match.pk).ended


def test_the_question_whether_to_end_stays_while_play_goes_on(match):
    seat_both(match)
    propose(matters.propose_end, match)
    notes.note(at(match, RUSSIAN), new_id(), None, "one more turn?")
    with pytest.raises(Refused, match="Another proposal"):
        propose(matters.propose_end, match, RUSSIAN)
    answer(match, RUSSIAN, True)
    assert Match.objects.get(pk=match.pk).ended


def test_questions_are_no_acts_to_take_back(match):
    seat_both(match)
    notes.note(at(match), new_id(), None, "hello")
    propose(matters.propose_end, match)
    answer(match, RUSSIAN, False)
    assert propose(matters.propose_take_back, match) == "Taken back: № 2."


# Another chart book


@pytest.fixture
def other_book(match):
    shipped = match.book
    data = {**shipped.data, "name": "Mine"}
    return ChartBook.objects.create(digest="f" * 64, game=shipped.game, name="Mine", data=data)


def test_another_book_counts_once_the_other_side_agrees(match, other_book):
    seat_both(match)
    sentence = propose(matters.propose_book, match, GERMAN, other_book, "“Mine”")
    assert sentence == "German asks to go on with the charts “Mine”."
    assert at(match).match.book_id == match.book_id
    assert answer(match, RUSSIAN, True).startswith("Charts from now on: “Mine”")
    assert at(match).match.book_id == other_book.pk


def test_a_book_that_was_declined_changes_nothing(match, other_book):
    seat_both(match)
    propose(matters.propose_book, match, GERMAN, other_book, "“Mine”")
    assert answer(match, RUSSIAN, False) == "Russian keeps the charts as they are."
    assert at(match).match.book_id == match.book_id


@pytest.mark.parametrize("side", [GERMAN, RUSSIAN])
def test_a_book_both_agreed_to_is_taken_back_with_the_other_sides_word_alone(match, other_book, side):
    seat_both(match)
    propose(matters.propose_book, match, GERMAN, other_book, "“Mine”")
    answer(match, RUSSIAN, True)
    sentence = propose(matters.propose_take_back, match, side)
    assert sentence == f"{side.capitalize()} asks to take back № {len(entries(match)) - 1}."
    assert at(match).match.book_id == other_book.pk
    answer(match, RUSSIAN if side == GERMAN else GERMAN, True)
    assert at(match).match.book_id == match.book_id


def test_a_book_taken_while_alone_is_not_taken_back_under_who_sat_down_since(match, other_book):
    propose(matters.propose_book, match, GERMAN, other_book, "“Mine”")
    assert at(match).match.book_id == other_book.pk
    seat_both(match)
    assert "asks to take back" in propose(matters.propose_take_back, match)
    assert at(match).match.book_id == other_book.pk


def test_what_was_asked_before_the_other_side_left_does_not_outlast_doing_it_alone(match, other_book):
    seat_both(match)
    propose(matters.propose_book, match, GERMAN, other_book, "“Mine”")
    match.seats.filter(side=RUSSIAN).update(claimed=None)
    propose(matters.propose_book, match, GERMAN, other_book, "“Mine”")
    assert at(match).match.book_id == other_book.pk
    assert matters.describe_pending(at(match)) is None


def test_an_answer_goes_to_what_is_asked_when_it_is_given(match, other_book):
    seat_both(match)
    propose(matters.propose_book, match, GERMAN, other_book, "“Mine”")
    answering = at(match, RUSSIAN)
    answer(match, GERMAN, False)
    propose(matters.propose_end, match)
    before = rows()
    with pytest.raises(Refused, match="Something else"):
        matters.answer(answering, new_id(), None, True)
    assert rows() == before


# On the pages


def test_both_pages_say_what_is_asked_and_offer_the_fitting_buttons():
    maker, links = begin()
    friend = sit(links[RUSSIAN], maker.match_id)
    maker.do("end/", sure="on")
    assert "German asks to end the match. Waiting for the other side to answer. Withdraw" in maker.see()
    assert "German asks to end the match. Agree Decline" in friend.see()
    friend.do("answer/", agrees="yes")
    assert "ended" in maker.see()
    assert maker.match.ended


def test_an_observer_sees_no_buttons_for_a_question():
    maker, links = begin()
    sit(links[RUSSIAN], maker.match_id)
    watcher = sit(links[OBSERVER], maker.match_id)
    maker.do("end/", sure="on")
    assert "Agree" not in watcher.see()
    assert watcher.do("answer/", agrees="yes").status_code == 403
    assert maker.match.ended is None


# Rolls that are not made


@pytest.fixture
def shot_at():
    """The German's squads have been fired at by the Russian: their Morale Checks are due."""
    german, links = begin()
    russian = sit(links["russian"], german.match_id)
    german.do("counters/add/", list="German: 2 Grenadier squads\nRussian: 2 Rifle squads")
    german.do("counters/", id=["german-1", "german-2"], place="K7")
    russian.do("counters/", id="russian-1", place="K9")
    russian.roll("fire", firers="russian-1", targets=["german-1", "german-2"], die="20", dice="table")
    assert len(due(german)) == 2
    return german, russian


def due(player):
    return [step.title for step in player.match.state.queue]


def test_a_check_of_ones_own_counter_is_done_without_if_the_other_side_agrees(shot_at):
    german, russian = shot_at
    first, second = german.match.state.queue
    german.do("drop/", step=first.id)
    assert len(due(german)) == 2
    assert german.last.sentence == f"German asks to do without: {first.title}."
    russian.do("answer/", agrees="no")
    assert russian.last.sentence == f"Russian wants this rolled: {first.title}." and len(due(german)) == 2
    german.do("drop/", step="all")
    assert german.last.sentence == f"German asks to do without: {first.title}, {second.title}."
    russian.do("answer/", agrees="yes")
    assert due(german) == [] and russian.last.sentence == f"Not rolled: {first.title}, {second.title}."
    german.do("take-back/")  # not alone
    assert due(german) == []


def test_who_fired_spares_the_other_side_without_a_question(shot_at):
    german, russian = shot_at
    title = due(german)[0]
    russian.do("drop/", step=russian.match.state.queue[0].id)
    assert len(due(german)) == 1 and russian.last.sentence == f"Not rolled: {title}."


def test_what_was_asked_about_may_be_rolled_meanwhile_and_stands_in_nobodys_way(shot_at):
    german, russian = shot_at
    first, second = german.match.state.queue
    german.do("drop/", step=first.id)
    german.roll(first.helper, step=first.id, die="1", dice="table")
    assert due(german) == [second.title]
    assert "Agree" not in pages.words_of_each(text_of(russian.get()), "button")
    assert "Something else" not in words_of(russian.do("answer/", agrees="yes"))
    german.do("drop/", step=second.id)
    assert german.last.sentence == f"German asks to do without: {second.title}."


def test_a_step_of_the_other_sides_fire_mission_is_its_own_to_drop():
    german, links = begin()
    russian = sit(links["russian"], german.match_id)
    russian.roll("contact", device="radio", aim="K7", correction="0", die="5", dice="table")
    [title] = due(german)
    german.do("drop/", step="all")
    assert german.last.sentence == f"German asks to do without: {title}." and due(german) == [title]
    russian.do("answer/", agrees="no")
    russian.do("drop/", step="all")
    assert due(german) == [] and russian.last.sentence == f"Not rolled: {title}."


@pytest.mark.parametrize("hot_seat", [True, False])
def test_who_plays_both_sides_or_sits_alone_is_asked_nothing(hot_seat):
    player = begin(hot_seat=hot_seat)[0]
    player.do("counters/add/", list="German: Grenadier squad\nRussian: Rifle squad")
    player.do("counters/", id=["german-1", "russian-1"], place="K7")
    player.roll("fire", ff="8", units='[{"kind":"squad","tq":6,"id":"german-1"}]', die="34", dice="table")
    assert due(player)
    player.do("drop/", step="all")
    assert due(player) == [] and player.match.proposal is None and player.last.kind == LogEntry.Kind.DROP
    player.do("take-back/")
    assert due(player)
