"""Going back past more than one act, where nobody else could be asked."""

import pytest
from django.db.models import Count

from firefight.models import Act, Match
from firefight.table.consent import going_back
from tests.filling import Reader
from tests.firefight import players

pytestmark = pytest.mark.django_db
STEP = "form#step-form"


@pytest.fixture
def watch(frozen):
    return frozen("watch", lambda: players.begin("watch", game="lone-watch", mode="alone")[0])


def play_turn(watch):
    """A whole turn: the night comes near once, a fire is lit, the day breaks."""
    watch.do("record/", field="side", value="night")
    watch.do("step/", dice="app")
    while watch.match.state.record["night"]:
        options = (watch.get("step.json").json()["step"] or {}).get("options")
        watch.do("step/", dice="app", **({"choice": "light"} if options else {}))


def moments(watch):
    return list(watch.match.snapshots.order_by("number").values_list("label", flat=True))


def number_of(watch, label):
    return watch.match.snapshots.get(label=label).number


def test_each_turn_that_a_procedure_begins_is_a_moment(watch):
    for _ in range(3):
        play_turn(watch)
    assert moments(watch) == ["The beginning", "Turn 2", "Turn 3", "Turn 4"]


def test_one_goes_back_to_the_beginning_of_a_turn_from_the_page(watch):
    play_turn(watch)
    state = watch.match.state
    for _ in range(2):
        play_turn(watch)
    rolls, number = watch.match.next_roll, number_of(watch, "Turn 2")
    standing = Act.objects.filter(match=watch.match_id, taken_back=False, entries__number__gt=number).distinct().count()
    reader = Reader(watch.client).open(f"/match/{watch.match_id}/")
    reader.press("Back to an earlier turn")
    reader.form("form[action$='/branch/']").press(f"Go back to № {number}: Turn 2")
    assert watch.match.state == state and watch.match.state.turn == 2
    assert watch.last.sentence.startswith(f"Back to the beginning of Turn 2: {standing} acts taken back, № ")
    assert watch.match.next_roll == rolls  # what was used stays used
    assert not watch.match.log.filter(number__gt=number, number__lt=watch.last.number, voided_by=None).exists()
    assert moments(watch) == ["The beginning", "Turn 2"]


def test_the_log_and_the_report_tell_of_it(watch):
    play_turn(watch)
    watch.do("back/", number=number_of(watch, "The beginning"))
    sentence = watch.last.sentence
    assert sentence.startswith("Back to the beginning: ") and "acts taken back" in sentence
    for place in ("log/", "report/", "report.md"):
        assert "acts taken back" in players.text_of(watch.get(place)), place
    play_turn(watch)
    assert watch.match.state.turn == 2 and moments(watch) == ["The beginning", "Turn 2"]


def test_the_dice_check_passes_over_what_was_taken_back(watch):
    for _ in range(2):
        play_turn(watch)
    watch.do("back/", number=number_of(watch, "Turn 2"))
    play_turn(watch)
    watch.do("end/", sure="on")
    assert watch.match.ended and watch.get("dice/").status_code == 200
    numbers = [roll.number for line in watch.match.log.order_by("number") for roll in line.rolls]
    assert numbers == list(range(1, watch.match.next_roll))


def test_one_goes_back_before_any_act_and_on_from_there(watch):
    watch.do("record/", field="fear", value="2")
    watch.do("record/", field="fear", value="3")
    watch.do("record/", field="fear", value="4")
    listed = going_back.list_acts(watch.match)
    assert [moment.number for moment in listed][:2] == [watch.last.number - 1, watch.last.number - 2]
    reader = Reader(watch.client).open(f"/match/{watch.match_id}/file/")
    reader.form("form[action$='/branch/']").press(f"Go back to before № {listed[1].number + 1}")
    assert watch.match.state.record["fear"] == 2 and "2 acts taken back" in watch.last.sentence
    watch.do("take-back/")
    assert watch.match.state.record["fear"] == 0


def test_a_branch_goes_on_from_any_turn_with_new_dice(watch):
    play_turn(watch)
    record = watch.match.state.record
    play_turn(watch)
    watch.do("branch/", number=number_of(watch, "Turn 2"))
    branch = Match.objects.exclude(pk=watch.match_id).get()
    assert branch.state.record == record and branch.state.turn == 2 and branch.seed != watch.match.seed


@pytest.mark.parametrize(
    ("number", "words"), [("", "Choose a moment"), ("x", "is not a number"), ("999", "Nothing was done")]
)
def test_where_nothing_is_to_be_taken_back_nothing_is_done(watch, number, words):
    play_turn(watch)
    before = watch.match.last_number
    answer = watch.do("back/", number=number)
    assert answer.status_code in (403, 409, 422) and words in players.words_of(answer)
    assert watch.match.last_number == before


def test_nobody_stops_in_the_middle_of_an_act(watch):
    play_turn(watch)
    act = Act.objects.filter(match=watch.match_id).alias(lines=Count("entries")).filter(lines__gt=1).first()
    first, last = act.entries.order_by("number").first().number, watch.match.last_number
    answer = watch.do("back/", number=first)
    assert f"lies in the middle of an act: go back to № {first - 1}" in players.words_of(answer)
    assert watch.match.last_number == last


def test_where_others_play_everybody_is_asked_act_by_act():
    watch, links = players.begin("watch", game="lone-watch", **{"option-mode": "both"})
    night = players.sit(links["night"], watch.match_id)
    watch.do("record/", field="fear", value="2")
    watch.do("record/", field="fear", value="3")
    for player in (watch, night):
        answer = player.do("back/", number=2)
        assert answer.status_code == 403 and "who would have to agree" in players.words_of(answer)
    assert "Go back" not in players.words_of(watch.get("file/"))
    assert "Back to an earlier turn" not in players.words_of(watch.get(""))


def test_who_share_a_device_go_back():
    watch = players.begin("watch", hot_seat=True, game="lone-watch", **{"option-mode": "both"})[0]
    watch.do("record/", field="fear", value="2")
    number = watch.last.number
    watch.do("record/", field="fear", value="3")
    watch.do("record/", field="fear", value="4")
    watch.do("back/", number=number)
    assert watch.match.state.record["fear"] == 2


def test_an_observer_and_a_match_that_is_over_go_nowhere(watch):
    play_turn(watch)
    watch.do("end/", sure="on")
    answer = watch.do("back/", number=number_of(watch, "The beginning"))
    assert answer.status_code in (403, 409) and "Go back" not in players.words_of(watch.get("file/"))


def test_what_came_with_a_file_stays(watch):
    play_turn(watch)
    watch.do("branch/")
    branch = players.Player(Match.objects.exclude(pk=watch.match_id).get().pk)
    branch.client = watch.client
    branch.do("record/", field="fear", value="3")
    answer = branch.do("back/", number=2)
    assert "branch off where it was saved" in players.words_of(answer)


def test_more_than_a_hundred_acts_go_in_one_with_few_queries(watch, django_assert_max_num_queries):
    for fear in range(130):
        watch.do("record/", field="fear", value=str(fear % 6))
    started = number_of(watch, "The beginning")
    fields = {**watch.stamp, "number": str(started)}
    acts = Act.objects.filter(match=watch.match_id, taken_back=False).count()
    assert acts > 120
    with django_assert_max_num_queries(45):
        watch.send("back/", fields)
    assert f": {acts} acts taken back" in watch.last.sentence
    assert watch.match.state.record["fear"] == 0
    assert not Act.objects.filter(match=watch.match_id, taken_back=False).exists()
