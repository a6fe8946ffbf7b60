"""The dice of games against the app: every face as likely, none used twice, what they draw as even as they are."""

from collections import Counter
from random import Random

import pytest

from firefight.engine.course.conducting import Ask, Throw
from firefight.engine.rolls.dice import rolled_face
from firefight.games.inferno_on_the_volga.solo.play import Play
from firefight.games.inferno_on_the_volga.solo.policies import POLICIES
from firefight.games.inferno_on_the_volga.solo.setting_up import build_state
from firefight.games.inferno_on_the_volga.solo.turn import find_next_want, take_step
from tests.soak import SEED, length

from .solo_games import HOUSE

pytestmark = pytest.mark.soak
MOST_SURPRISE = 4.5  # standard deviations: once in 300,000 times


class SealedDice:
    """Numbered dice, as a match throws its own; all that were thrown, by what they were for."""

    def __init__(self, name):
        self.seed, self.number, self.thrown = f"dice {SEED} {name}".encode(), 0, []

    def throw(self, spec):
        faces = [self.next(spec) for _ in range(spec.number)]
        return tuple(faces) if spec.is_pool else sum(faces)

    def next(self, spec):
        self.number += 1
        face = rolled_face(self.seed, self.number, spec.sides)
        self.thrown.append((spec.name, spec.sides, face))
        return face


def play(name, choose, is_done):
    """A game until something; its dice."""
    dice, chance = SealedDice(name), Random(f"{SEED} {name}")
    game = Play(build_state(HOUSE), HOUSE)
    while not is_done(game):
        want = find_next_want(game)
        answer = choose(want, game, chance) if isinstance(want, Ask) else None
        take_step(game, dice.throw(want.spec) if isinstance(want, Throw) else answer)
    return game, dice


def set_up(name):
    return play(name, None, lambda game: isinstance(find_next_want(game), Ask))


def find_surprise(*tables):
    """How far counts are from their shares, in standard deviations (chi-square).

    ``tables``: pairs of counts and of shares, by name; those that would come less than five times are left out.
    """
    square = freedom = 0
    for counts, shares in tables:
        number = sum(counts.values())
        assert counts.keys() <= shares.keys()
        if number * min(shares.values()) >= 5:
            square += sum((counts[name] - number * share) ** 2 / (number * share) for name, share in shares.items())
            freedom += len(shares) - 1
    assert freedom
    return rate_surprise(square, freedom)


def rate_surprise(square, freedom):
    """A chi-square in standard deviations (Wilson and Hilferty)."""
    return ((square / freedom) ** (1 / 3) - 1 + 2 / (9 * freedom)) / (2 / (9 * freedom)) ** 0.5


def even(names):
    names = [*names]
    return dict.fromkeys(names, 1 / len(names))


@pytest.fixture(scope="module")
def thrown():
    """All dice of games by somebody who attacks where he can, and by anybody."""

    def anyhow(question, game, chance):
        return chance.choice(question.choices).slug

    def greedily(question, game, chance):
        return POLICIES["greedy"](question, game)

    all_dice = []
    for number in range(length(24, 300)):
        _, dice = play(number, greedily if number % 2 else anyhow, lambda game: game.state["over"])
        all_dice += dice.thrown
    return all_dice


def test_a_die_of_any_size_shows_every_face_as_often(thrown):
    counts = {}
    for _, sides, face in thrown:
        counts.setdefault(sides, Counter())[face] += 1
    assert {4, 6} < counts.keys() and len(counts) > 30
    assert find_surprise(*((faces, even(range(1, sides + 1))) for sides, faces in counts.items())) < MOST_SURPRISE


def test_what_is_thrown_for_makes_no_difference(thrown):
    """The dice of a fight as those of a march, of a spin, of a draw, each die of its size."""
    counts = {}
    for name, sides, face in thrown:
        counts.setdefault((name, sides), Counter())[face] += 1
    assert {name for name, _ in counts} >= {"fire", "soviet_dice", "edge", "edges", "call", "card", "block", "mover"}
    assert find_surprise(*((faces, even(range(1, sides + 1))) for (_, sides), faces in counts.items())) < MOST_SURPRISE


def test_one_face_tells_nothing_of_the_next(thrown):
    faces = [face for _, sides, face in thrown if sides == 6]
    pairs = Counter(zip(faces[::2], faces[1::2], strict=False))
    assert find_surprise((pairs, even((one, two) for one in range(1, 7) for two in range(1, 7)))) < MOST_SURPRISE


def test_set_up_is_even():
    """Who waits in the pools, who stands where with how many dots, who is first on the track, which cards are drawn."""
    number = length(250, 3_000)
    tanks, infantry, strengths, first, cards, hexes = (Counter() for _ in range(6))
    for part in range(number):
        game, _ = set_up(part)
        tanks.update(game.of_pool("tank"))
        infantry.update(key for key in game.of_pool("infantry") if "guards" not in game.block(key).marks)
        standing = [key for keys in game.soviets.values() for key in keys]
        strengths.update((game.block(key).top, game.dots(key)) for key in standing)
        hexes.update(hex for hex, (key,) in game.soviets.items() if game.block(key).type == "tank")
        first.update(row[-1] for row in game.state["rows"])
        cards.update([*game.state["hands"]["german"], *game.state["leaders"]["german"]])
    soviets = HOUSE.of_side("soviet")
    white = [block.key for block in HOUSE.of_side("german") if block.colour == "white" and block.type == "infantry"]
    copies = {key: card.copies / 27 for key, card in HOUSE.german_cards.items()}
    assert find_surprise((tanks, even(block.key for block in soviets if block.pool == "tank"))) < MOST_SURPRISE
    plain = [block.key for block in soviets if block.pool == "infantry" and "guards" not in block.marks]
    assert find_surprise((infantry, even(plain))) < MOST_SURPRISE
    assert find_surprise((hexes, even(HOUSE.board.set_up))) < MOST_SURPRISE
    assert find_surprise((first, even(white))) < MOST_SURPRISE
    assert find_surprise((cards, copies)) < MOST_SURPRISE
    for top, shares in ((4, {4: 0.25, 3: 0.25, 2: 0.25, 1: 0.25}), (2, {2: 0.25, 1: 0.75})):
        counts = Counter({dots: count for (of, dots), count in strengths.items() if of == top})
        assert find_surprise((counts, shares)) < MOST_SURPRISE


def test_a_look_finds_dice_that_are_a_little_off():
    chance = Random(5)
    fair = Counter(chance.randint(1, 6) for _ in range(6_000))
    off = Counter(chance.randint(0, 2**3 - 1) % 6 + 1 for _ in range(600))  # a remainder of too few bits
    assert find_surprise((fair, even(range(1, 7)))) < 3
    assert find_surprise((off, even(range(1, 7)))) > MOST_SURPRISE
