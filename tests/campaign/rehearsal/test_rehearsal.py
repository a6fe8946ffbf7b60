"""Campaigns that play themselves: how many of them end, that every act of theirs is a real one, that none is saved."""

from collections import Counter

import pytest
from django.core.management import CommandError, call_command

from campaign.acts import reorganizing
from campaign.models import Unit
from campaign.phase import conductor
from campaign.rehearsal import REHEARSAL
from campaign.rehearsal.policies import HUNGRY, list_offers
from campaign.rehearsal.unsaved import UnsavedCampaign
from campaign.rules.sectors import Holding
from firefight.games import tallying
from firefight.games.combat_stalingrad.rules.sides import Side
from tests.soak import length

GAME = "combat-stalingrad"
# These tests run without a database: a rehearsal that asked for one would fail.


def tally(policy, card, seeds):
    return tallying.count_played(tallying.rehearse(GAME, policy, seeds, {"card": card}))


def mean(summary, name):
    return summary["measures"][name]["mean"]


# Who wins, in a thousand campaigns (docs/notebook.md): German, Russian, nobody
SHARES = {
    ("cautious", "cg1"): (0.002, 0.797, 0.201),
    ("hungry", "cg1"): (0.588, 0.026, 0.386),
    ("hungry-german", "cg1"): (0.600, 0.012, 0.388),
    ("hungry-russian", "cg1"): (0.000, 0.844, 0.156),
    ("cautious", "cg2"): (0.004, 0.995, 0.001),
    ("hungry", "cg2"): (0.546, 0.365, 0.089),
    ("hungry-german", "cg2"): (0.433, 0.495, 0.072),
    ("hungry-russian", "cg2"): (0.001, 0.999, 0.000),
}


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize(("policy", "card"), SHARES)
def test_many_campaigns_come_to_the_shares_of_the_notebook(policy, card):
    games = length(1, 1_000)
    summary = tally(policy, card, range(1, games + 1))
    assert summary["flaws"] == {"number": 0, "first": []}
    assert summary["games"] == games
    for outcome, share in zip(("German victory", "Russian victory", "Draw"), SHARES[policy, card], strict=True):
        number = summary["outcomes"].get(outcome, {"games": 0})["games"]
        assert abs(number - games * share) <= 4 * max(games * share * (1 - share), 1) ** 0.5, outcome


@pytest.mark.slow
def test_who_is_hungry_spends_more_fights_more_and_takes_more():
    cautious, hungry = (tally(policy, "cg1", range(1, 6)) for policy in ("cautious", "hungry"))
    for name in ("German CP spent", "Russian CP spent", "rounds of close combat", "sectors that fell to the German"):
        assert mean(cautious, name) < mean(hungry, name), name
    for name in ("German losses", "Russian losses"):
        assert mean(cautious, name) < mean(hungry, name), name
    assert cautious["flaws"]["number"] == hungry["flaws"]["number"] == 0


def test_a_seed_is_one_campaign():
    one, again, other = (tallying.rehearse(GAME, "hungry", [seed], {"card": "cg1"})[0] for seed in (3, 3, 4))
    assert one == again and one != other
    assert one.steps > one.choices > 0 and one.throws > 0


@pytest.mark.slow
def test_every_step_of_the_phase_is_played(monkeypatch):
    steps = Counter()
    find_deciders = conductor.find_deciders

    def note(ledger, *more):
        if ledger.campaign.phase:
            steps[ledger.phase.step.value] += 1
        return find_deciders(ledger, *more)

    monkeypatch.setattr(conductor, "find_deciders", note)
    tally("hungry", "cg1", range(1, 4))
    first_steps = {"after_action", "existing", "attacker_leaves", "defender_leaves", "battle"}
    assert first_steps | {"final_attacker", "final_defender", "upkeep"} == set(steps)


def test_a_purchase_leaves_what_an_attack_costs():
    ledger = UnsavedCampaign.begin("cg2", 1).ledger
    attack = ledger.attack_group(Side.GERMAN).cp
    offers = {offer.group.id: offer.price for offer in list_offers(ledger, Side.GERMAN)}
    ledger.lines[Side.GERMAN][1].amount = attack + min(offers.values()) - 1
    assert HUNGRY.choose_purchase(ledger, Side.GERMAN, None) == ""
    assert HUNGRY.choose_order(ledger, Side.GERMAN).value == "attack"


# What must hold


def test_what_does_not_hold_is_told_with_its_seed_and_step(monkeypatch):
    """The dead stay where they fell."""
    monkeypatch.setattr(Unit, "eliminate", lambda unit: setattr(unit, "fate", Unit.Fate.ELIMINATED))
    (played,) = tallying.rehearse(GAME, "hungry", [1], {"card": "cg1"})
    assert {flaw.what for flaw in played.flaws} == {"units"}
    assert "is gone, and in sector" in played.flaws[0].words
    assert 0 < played.flaws[0].step <= played.steps
    assert not tallying.rehearse(GAME, "hungry", [1], {"card": "cg1"}, is_checked=False)[0].flaws


@pytest.mark.parametrize("holding", [Holding.GERMAN, Holding.RUSSIAN, Holding.NOBODY])
def test_a_sector_that_goes_to_whoever_is_not_left_there_is_told(holding, monkeypatch):
    monkeypatch.setattr(conductor, "holding_after_battle", lambda left: holding)
    (played,) = tallying.rehearse(GAME, "hungry", [1], {"card": "cg1"})
    flaw = next(flaw for flaw in played.flaws if flaw.what == "settled")
    assert f"has become {holding.word}, with units of " in flaw.words


def test_an_act_that_is_refused_ends_the_rehearsal_with_its_seed(monkeypatch):
    monkeypatch.setattr(reorganizing, "_expect", lambda act, *steps: 1 / 0)
    with pytest.raises(CommandError, match="Seed 5, Reorganization, act [0-9]+: ZeroDivisionError"):
        call_command("rehearse", GAME, "--seeds", "5", "--jobs", "1")


# The command


def test_the_command_knows_cards_and_policies(capsys):
    call_command("rehearse", GAME, "--seeds", "1-2", "--jobs", "1", "--agreed", "card=cg2")
    output = capsys.readouterr().out
    assert output.startswith("2 games of cautious in ") and "German CP spent: least " in output
    assert list(REHEARSAL.policies) == ["cautious", "hungry", "hungry-german", "hungry-russian"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--agreed", "card=cg9"], "“card=cg9” cannot be agreed. These can:"),
        (["--write", "/tmp/x", "--seeds", "1"], "A golden game is of a game that the app leads"),
    ],
)
def test_what_cannot_be_is_said(args, words):
    with pytest.raises(CommandError) as caught:
        call_command("rehearse", GAME, *args)
    assert words in str(caught.value)
