"""Games of the app and games of the second book-keeper, each with dice of its own: how they end is alike.

`test_solo_book.py` holds one against the other step by step, where both get what was thrown. Here nothing is shared, so
that a die that is thrown wrongly shows, too: another size, another order, one too few.
"""

from collections import Counter
from random import Random

import pytest

from firefight.engine.course.conducting import Ask, Throw
from firefight.games.inferno_on_the_volga.rules.tables import SOVIET_SPAWN
from firefight.games.inferno_on_the_volga.solo.play import Play
from firefight.games.inferno_on_the_volga.solo.setting_up import build_state
from firefight.games.inferno_on_the_volga.solo.turn import find_next_want, take_step
from tests.oracles import inferno_book
from tests.soak import SEED, length

from .solo_games import HOUSE, random_faces
from .test_solo_dice import rate_surprise

pytestmark = pytest.mark.soak
MOST_SURPRISE = 3.1  # standard deviations: p > 0.001
LEAST_OF_A_BIN = 10


def pass_by(slugs, chance):
    """Nobody ever moves."""
    return next((slug for slug in ("short", "done", "auto", "go", "stay") if slug in slugs), min(slugs))


def fight(slugs, chance):
    """Attacks wherever they may be made; the lot says by whom and at what."""
    liked = sorted(slugs & {"deliberate", "hasty"})
    if liked and chance.random() < 0.8:
        return chance.choice(liked)
    often = sorted(slugs - {"back", "call"})
    return chance.choice(often or sorted(slugs))


POLICIES = {"pass": pass_by, "fight": fight}


def play_by_app(policy, chance):
    """A game against the app; what became of it."""
    play, throw = Play(build_state(HOUSE), HOUSE), random_faces(chance)
    while not play.state["over"]:
        want = find_next_want(play)
        answer = None
        if isinstance(want, Ask):
            answer = policy({choice.slug for choice in want.choices}, chance)
        elif isinstance(want, Throw):
            answer = throw(want.spec)
        take_step(play, answer)
    state = play.state
    where = {key: at for key, (at, _) in state["blocks"].items()}
    return sum_up(state["turn"], state["over"], state["german_held"], where, state["rubble"])


def play_by_book(policy, chance):
    """The same by the book-keeper alone."""
    book = inferno_book.Book()
    pages, answer = book.play(), None
    while not book.over:
        try:
            want = pages.send(answer)
        except StopIteration:
            break
        if isinstance(want, inferno_book.Ask):
            answer = policy(want.choices, chance)
        else:
            faces = tuple(chance.randint(1, want.sides) for _ in range(want.number))
            answer = faces if isinstance(want, inferno_book.Pool) else sum(faces)
    return sum_up(book.turn, book.over, book.held, book.where, book.rubble)


def sum_up(turns, over, hexes_held, where, rubble):
    """What a game came to, by what is counted."""
    at = Counter(where.values())
    return {
        "turns": turns,
        "winner": over,
        "hexes": len({*hexes_held}),
        "spawn hexes": len({*hexes_held} & {*SOVIET_SPAWN}),
        "dead": at["dead"],
        "infantry in the pool": at["pool"],
        "rubble": len({*rubble}),
    }


def find_surprise(ours, theirs):
    """How far two samples of one size are apart, in standard deviations (chi-square).

    Values are taken together, in their order, until there are enough of them.
    """
    square, freedom = 0.0, -1
    counts, bins = (Counter(ours), Counter(theirs)), [[0, 0]]
    for value in sorted(counts[0].keys() | counts[1].keys()):
        if sum(bins[-1]) >= LEAST_OF_A_BIN:
            bins.append([0, 0])
        for number, count in enumerate(counts):
            bins[-1][number] += count[value]
    if sum(bins[-1]) < LEAST_OF_A_BIN and len(bins) > 1:
        few = bins.pop()
        bins[-1] = [bins[-1][0] + few[0], bins[-1][1] + few[1]]
    for one, other in bins:
        square, freedom = square + (one - other) ** 2 / (one + other), freedom + 1
    return rate_surprise(square, freedom) if freedom else 0.0


@pytest.mark.parametrize("policy", POLICIES)
def test_two_engines_end_their_games_alike(policy):
    number, choose = length(20, 1_000), POLICIES[policy]
    ours, theirs = (
        [play(choose, Random(f"{SEED} {play.__name__} {part}")) for part in range(number)]
        for play in (play_by_app, play_by_book)
    )
    for name in ours[0]:
        apart = find_surprise([game[name] for game in ours], [game[name] for game in theirs])
        assert apart < MOST_SURPRISE, (name, apart)


def test_samples_that_differ_a_little_are_told_apart():
    chance = Random(3)
    one, again, off = ([round(chance.gauss(mean, 4)) for _ in range(1_000)] for mean in (20, 20, 21))
    assert find_surprise(one, again) < MOST_SURPRISE < find_surprise(one, off)
