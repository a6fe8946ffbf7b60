"""Rolls of one die and no more: counter-attacks, mine dogs, tanks, NKVD."""

from . import ask, faces


def test_a_counter_attack_is_die_and_af_less_df():
    assert faces("counter-attack") == ["attacker_lost"] * 2 + ["defender_lost"] * 4 + ["defenders_retreat"] * 4
    for af, df, die in ((9, 10, 6), (7, 9, 7)):  # the examples of 12.6 and of the chart
        result = ask("counter-attack", af=af, df=df, die=die)
        assert (result.modified, result.outcome.value, result.details["hex_held"]) == (5, "defender_lost", True)
    assert faces("counter-attack", af=200) == ["defenders_retreat"] * 10
    assert faces("counter-attack", df=200) == ["attacker_lost"] * 10


def test_a_counter_attack_knows_that_the_last_defender_is_gone():
    for die, defenders, held in ((2, 1, True), (3, 1, False), (3, 2, True), (3, "", True), (7, 2, False)):
        assert ask("counter-attack", die=die, defenders=defenders).details["hex_held"] is held


def test_a_mine_dog_takes_armour_with_it_on_1_and_2():
    assert faces("mine-dog") == ["both_lost"] * 2 + ["dog_lost"] * 8
    assert ask("mine-dog", die=2).details == {"armored_unit_lost": True, "mine_dog_lost": True}
    assert ask("mine-dog", die=0).details == {"armored_unit_lost": False, "mine_dog_lost": True}
