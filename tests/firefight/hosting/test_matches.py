"""manage.py matches: what is stored, and a match that is locked or deleted by its host."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from firefight.models import Match
from tests.firefight.players import begin
from tests.frozen import every_row

pytestmark = pytest.mark.django_db


def run(*words):
    out = StringIO()
    call_command("matches", *words, stdout=out)
    return out.getvalue()


def test_the_largest_match_stands_first_with_its_size_and_last_act():
    (small, _), (large, _) = begin(), begin()
    large.note("A long note. " * 10)
    first, second = run().splitlines()
    assert first.startswith(f"{large.match_id}     0.0")
    assert f" {large.match.last_number} lines  {large.last.at:%Y-%m-%d %H:%M}  {large.match.name}" in first
    assert second.startswith(small.match_id)


def test_a_locked_match_can_be_read_but_nothing_is_done_in_it():
    player, _ = begin()
    run(player.match_id, "--lock")
    assert run().rstrip().endswith(", locked")
    before = every_row()
    answer = player.note("One more thing")
    assert "The host has locked this match" in answer.text
    assert every_row() == before
    assert player.get().status_code == 200
    run(player.match_id, "--unlock")
    player.note("One more thing")
    assert "One more thing" in player.last.sentence


def test_a_match_is_deleted_for_good():
    (player, _), (other, _) = begin(), begin()
    sentence = f"Deleted for good: {player.match_id}  {player.match.name}\n"
    assert run(player.match_id, "--delete") == sentence
    assert list(Match.objects.values_list("pk", flat=True)) == [other.match_id]


@pytest.mark.parametrize("words", [["nothing"], ["nothing", "--delete"], ["--delete"]])
def test_the_host_is_told_what_is_wrong(words):
    begin()
    before = every_row()
    with pytest.raises(CommandError, match="its id stands in its address|Its id stands in its address"):
        run(*words)
    assert every_row() == before
