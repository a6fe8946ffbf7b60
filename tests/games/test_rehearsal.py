"""Games that are played without a table: what many of them come to, and whole ones as text."""

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from examples.lone_watch import night, rehearsal, rules
from firefight.engine.course.conducting import StepTaken
from firefight.games import chartbooks, golden, registry, tallying
from firefight.kit import BrokenRehearsal, Terms
from tests.soak import length

ALONE = {"mode": "alone", "season": "winter"}
GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))
OF_TOY = next(path for path in GOLDEN if path.stem.startswith("lone-watch"))


def run(*args, capsys=None):
    """What the command writes."""
    call_command("rehearse", "lone-watch", *args)
    return capsys.readouterr().out


# What many games come to


@cache
def share_overcome(turn, owls, wolves, fear, lights):
    """How likely fear is to get the better of the watch from the beginning of a night on, counted out (4, 5).

    ``lights``: how likely it lights a fire where it may.
    """
    if turn == rules.COURSE.last_turn:
        return Fraction(0)
    left = owls + wolves
    if not left:
        return _night(turn, 0, 0, fear, lights, Fraction(3, 6))
    owl = owls and Fraction(owls, left) * _night(turn, owls - 1, wolves, fear, lights, Fraction(3, 6))
    wolf = wolves and Fraction(wolves, left) * _night(turn, owls, wolves - 1, fear, lights, Fraction(4, 6))
    return owl + wolf


def _night(turn, owls, wolves, fear, lights, near):
    ends = share_overcome(turn + 1, owls, wolves, fear, lights)
    lit = share_overcome(turn + 1, owls, wolves, max(fear - 1, 0), lights)
    stood = Fraction(1) if fear + 1 == 6 else _night(turn, owls, wolves, fear + 1, lights, near)
    may_light = lights if fear < 5 else 0
    return (1 - near) * ends + near * (may_light * lit + (1 - may_light) * stood)


@pytest.mark.soak
@pytest.mark.parametrize(("policy", "lights"), [("any", Fraction(1, 2)), ("stand", Fraction(0))])
def test_many_games_come_to_the_exact_shares(policy, lights):
    games = length(600, 3_000)
    played = tallying.rehearse("lone-watch", policy, range(1, games + 1), ALONE)
    tally = tallying.count_played(played)
    exact = float(share_overcome(1, 2, 1, 0, lights))
    assert 0.02 < exact < 0.98  # else this would show little
    overcome = tally["outcomes"]["overcome"]["games"]
    assert abs(overcome - games * exact) < 4 * (games * exact * (1 - exact)) ** 0.5
    assert overcome + tally["outcomes"]["dawn"]["games"] == games
    assert tally["flaws"] == {"number": 0, "first": []}


def test_any_choice_is_as_likely_as_any_other():
    lit = stood = 0

    class Counting:
        def ask(self, step, choice, sketch):
            nonlocal lit, stood
            if len(step.choices) == 2:
                lit, stood = lit + (choice == "light"), stood + (choice == "stand")

        stand = fall = tell = staticmethod(lambda *arguments: None)

    terms = Terms(registry.games()["lone-watch"], chartbooks.shipped("lone-watch"), ALONE)
    for seed in range(300):
        rehearsal.REHEARSAL.play("any", seed, terms, Counting())
    assert lit + stood > 1_000 and abs(lit - stood) < 4 * (lit + stood) ** 0.5


def test_a_seed_is_one_game_in_one_process_or_in_many(capsys):
    summaries = [json.loads(run("--seeds", "1-40", "--json", "--jobs", jobs, capsys=capsys)) for jobs in ("1", "2")]
    assert [summary.pop("seconds") >= 0 for summary in summaries] == [True, True]
    assert summaries[0] == summaries[1]
    assert summaries[0]["policy"] == "late" and summaries[0]["seeds"] == [1, 40] and summaries[0]["games"] == 40
    assert summaries[0]["measures"]["turns"]["most"] <= 12


def test_a_player_reads_the_shares(capsys):
    output = run("--seeds", "1-50", "--policy", "stand", "--jobs", "1", capsys=capsys)
    assert output.startswith("50 games of stand in ") and "overcome (" in output and "turns: least " in output


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--policy", "brave"], "There is no policy “brave”; there are: late, stand, any."),
        (["--seeds", "x"], "Give seeds as 1-1000, or one alone."),
        (["--seeds", "9-1"], "Give one seed at least"),
        (["--seeds", "1-99999999"], "1,000,000 at most"),
        (["--agreed", "mode=four"], "“mode=four” cannot be agreed. These can: mode=alone|both; season=winter|summer."),
        (["--agreed", "mode"], "“mode” cannot be agreed."),
        (["--write", "/tmp/x", "--seeds", "1-2"], "of one seed"),
        (["--read", "/nowhere/x.txt"], "/nowhere/x.txt"),
    ],
)
def test_what_is_mistyped_is_said(args, words):
    with pytest.raises(CommandError) as caught:
        call_command("rehearse", "lone-watch", *args)
    assert words in str(caught.value)


def test_a_game_that_cannot_be_rehearsed_is_said():
    with pytest.raises(CommandError, match="“two-bridges” cannot be rehearsed. These can: .*lone-watch"):
        call_command("rehearse", "two-bridges")


# What must hold


def break_rule(monkeypatch, change):
    """Let the night take other steps."""
    goes_on = night.Night.go_on

    def go_on(self, standing, situation, answer):
        return change(goes_on(self, standing, situation, answer))

    monkeypatch.setattr(night.Night, "go_on", go_on)


def test_what_does_not_hold_is_told_with_its_seed_and_step(monkeypatch):
    def lose_card(step):
        """What is drawn comes to no hand."""
        (line,) = step.told
        if "draws" not in line.sentence:
            return step
        lost = rules.RECORD.change({"deck": {"take": [step.standing["beast"]]}})
        return replace(step, told=(replace(line, changes=(lost,)),))

    break_rule(monkeypatch, lose_card)
    with pytest.raises(CommandError, match="times something did not hold"):
        call_command("rehearse", "lone-watch", "--seeds", "3", "--jobs", "1")
    flaw = tallying.count_played(tallying.rehearse("lone-watch", "late", [3], ALONE))["flaws"]["first"][0]
    assert (flaw["seed"], flaw["step"], flaw["what"]) == (3, 1, "cards")
    assert flaw["words"] in ("there are owl, owl", "there are owl, wolf")
    assert not tallying.rehearse("lone-watch", "late", [3], ALONE, is_checked=False)[0].flaws


def test_where_a_match_could_not_stand_is_told(monkeypatch):
    def stand_on(step):
        return replace(step, standing=step.standing and {**step.standing, "beast": ("owl",)})

    break_rule(monkeypatch, stand_on)
    words = {flaw.words for flaw in tallying.rehearse("lone-watch", "late", [3], ALONE)[0].flaws}
    assert words == {"is not the same once it was written as JSON.", "The night: this is not a place of the night."}


def test_a_policy_that_chooses_what_is_not_legal_is_named_with_its_seed(monkeypatch):
    monkeypatch.setitem(rehearsal.REHEARSAL.policies, "late", lambda question: "flee")
    with pytest.raises(BrokenRehearsal, match="Seed 3, after step [0-9]+.*“flee” is not one of the choices"):
        tallying.rehearse("lone-watch", "late", [3], ALONE)


def test_a_game_that_does_not_end_is_left(monkeypatch):
    monkeypatch.setattr("firefight.kit.rehearsing.MOST_STEPS", 500)
    break_rule(monkeypatch, lambda step: StepTaken({"at": "draw"}))
    assert tallying.rehearse("lone-watch", "late", [3], ALONE)[0].outcome == "does not end"


# Golden games


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_game_goes_as_it_went(path):
    assert golden.find_differences(path.read_text(encoding="utf-8")) == []


def test_a_golden_game_is_written_and_read_again(tmp_path, capsys):
    path = tmp_path / "game.txt"
    output = run("--seeds", "7", "--write", str(path), "--json", capsys=capsys)
    text = path.read_text(encoding="utf-8")
    steps = json.loads(output)["length"]["steps"]["most"]
    assert (
        text.startswith("game lone-watch\npolicy late\nseed 7\nagreed mode alone\n") and f"after {steps} steps" in text
    )
    assert {line[:1] for line in text.splitlines()} >= {"=", "?", ">", "*", "|", "~", "!"}
    assert "as it was" in run("--read", str(path), capsys=capsys)


def test_a_rule_that_has_changed_shows_as_a_difference_that_a_person_reads(monkeypatch, capsys):
    monkeypatch.setattr(night, "LIGHT", replace(night.LIGHT, words="Fear 2 fewer, and the night is over."))
    (difference, *_) = [line for line in golden.find_differences(OF_TOY.read_text("utf-8")) if line.startswith("+  ")]
    assert difference == "+  light · Light a fire · Fear 2 fewer, and the night is over."
    with pytest.raises(CommandError, match="1 of 1 games go otherwise now"):
        run("--read", str(OF_TOY), capsys=capsys)
    assert "goes otherwise now" in capsys.readouterr().out


def test_a_rule_that_asks_for_other_dice_stops_there(monkeypatch):
    break_rule(monkeypatch, lambda step: replace(step, standing=step.standing and {**step.standing, "at": "step"}))
    text = OF_TOY.read_text("utf-8")
    assert "is asked where the file goes on with: >" in golden.replay_golden(text)[-1]
    assert len(golden.find_differences(text)) == golden.MOST_TOLD + 1


@pytest.mark.parametrize("text", ["", "game lone-watch", "game chess\n\n! over", "policy late\n\n"])
def test_what_is_no_golden_game_is_refused(text):
    with pytest.raises(golden.BadGolden):
        golden.find_differences(text)
