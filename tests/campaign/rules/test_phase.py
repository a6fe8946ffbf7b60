"""The phase as a value: written down and read back exactly, and read as version 0.1.0 wrote it."""

import json

from campaign.rules.phase import Extent, Gathered, ReorganizationPhase, Request, read_phase, write_phase
from campaign.rules.steps import Step
from firefight.games.combat_stalingrad.rules.melee.attacks import Attack, Bout, Effect, Fate
from firefight.games.combat_stalingrad.rules.sides import Side

ONE, TWO = (Side.GERMAN, 1), (Side.RUSSIAN, 2)
FULL = ReorganizationPhase(
    step=Step.BATTLE,
    sector=14,
    fought_over=(3, 14),
    waiting=(3,),
    survivors_of=7,
    exited=(ONE,),
    ended_in_hex=(TWO,),
    met=(TWO,),
    tried=(ONE,),
    mined=(ONE, TWO),
    round=4,
    fought=(ONE,),
    effects=(Effect(TWO, Fate.REDUCED),),
    waited=(TWO,),
    gathered=Gathered(Side.GERMAN, Bout((ONE,), (TWO,), (Attack((ONE,), (TWO,)),), by_value=frozenset({ONE}))),
    requested=Request(Side.RUSSIAN, Extent.SECTOR),
)


def test_a_phase_comes_back_from_json_exactly():
    assert read_phase(json.loads(json.dumps(write_phase(FULL)))) == FULL
    assert read_phase(write_phase(ReorganizationPhase(Step.UPKEEP))) == ReorganizationPhase(Step.UPKEEP)


def test_a_phase_of_version_0_1_0_is_read():
    old = {"step": "final_attacker", "sector": None, "fought_over": [3, 14], "waiting": []}
    phase = read_phase(old)
    assert (phase.step, phase.ended_in_hex, phase.final_sectors) == (Step.FINAL_ATTACKER, None, (3, 14))


def test_a_new_sector_forgets_the_round_and_the_request_of_the_one_before():
    phase = FULL.at_sector(3, [ONE])
    assert (phase.step, phase.sector, phase.waiting, phase.met, phase.mined) == (Step.EXISTING, 3, (), (ONE,), ())
    assert (phase.round, phase.fought, phase.effects, phase.gathered, phase.requested) == (1, (), (), None, None)
    assert phase.exited == FULL.exited


def test_a_request_for_a_round_ends_with_it():
    phase = FULL.with_request(Request(Side.GERMAN, Extent.ROUND))
    assert phase.at_next_round([ONE]).requested is None
    assert (FULL.at_next_round([ONE]).requested, FULL.at_next_round([ONE]).waited) == (FULL.requested, (ONE,))
