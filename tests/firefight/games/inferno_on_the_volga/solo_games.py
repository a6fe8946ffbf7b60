"""A solo game in a test's hands: positions set by hand, dice in a row, random dice by seed."""

from copy import deepcopy

from firefight.engine.course.conducting import Ask, Throw
from firefight.games.inferno_on_the_volga.rules.content import build_house_content
from firefight.games.inferno_on_the_volga.solo.play import POOL, Play
from firefight.games.inferno_on_the_volga.solo.setting_up import build_state
from firefight.games.inferno_on_the_volga.solo.turn import find_next_want, take_step
from firefight.kit import read_data

MOST_STEPS = 50_000  # of a game that a policy keeps from going on

HOUSE = build_house_content(read_data("firefight.games.inferno_on_the_volga", "house"))


def random_faces(chance):
    """Dice that fall at random."""

    def throw(spec):
        faces = tuple(chance.randint(1, spec.sides) for _ in range(spec.number))
        return faces if spec.is_pool else sum(faces)

    return throw


def play_from_start(content, level, choose, throw):
    """A whole game: every decision by ``choose``, every die by ``throw``; its lines are thrown away."""
    play = Play(build_state(content, level=level), content)
    for _ in range(MOST_STEPS):
        if play.state["over"]:
            break
        want, answer = find_next_want(play), None
        if isinstance(want, Ask):
            answer = choose(want, play)
        elif isinstance(want, Throw):
            answer = throw(want.spec)
        take_step(play, answer)
        play.told.clear()
    return play


def hide_otherwise(solo, chance):
    """A game with other blocks under the closed ones, other Units and cards: what is counted openly stays."""
    solo = deepcopy(solo)
    blocks, soviets = solo["blocks"], HOUSE.of_side("soviet")
    for pool in ("infantry", "tank", "marine"):
        swap_places(blocks, [block.key for block in soviets if block.pool == pool], chance)
    swap_places(blocks, [block.key for block in soviets if blocks[block.key][0] != POOL], chance)
    for block in soviets:
        at, _ = blocks[block.key]
        blocks[block.key] = [at, 0 if at == POOL else chance.randint(1, block.top)]
    waiting = [key for row in solo["rows"] for key in row]
    chance.shuffle(waiting)
    solo["rows"] = [[waiting.pop() for _ in row] for row in solo["rows"]]
    hand, left = solo["hands"]["soviet"], solo["decks"]["soviet"]["left"]
    cards = [*hand, *left]
    chance.shuffle(cards)
    solo["hands"]["soviet"], solo["decks"]["soviet"]["left"] = cards[: len(hand)], cards[len(hand) :]
    return solo


def swap_places(blocks, keys, chance):
    """Put these blocks into one another's places."""
    places = [blocks[key] for key in keys]
    chance.shuffle(places)
    blocks.update(zip(keys, places, strict=True))


def set_position(germans=None, soviets=None, mode="solo", **more):
    """A game with blocks in hexes, {"24": {"g36": 4}}, and nothing to do yet."""
    state = build_state(HOUSE, mode) | {"todo": []} | deepcopy(more)
    for side in (germans or {}, soviets or {}):
        for hex, blocks in side.items():
            for key, dots in blocks.items():
                state["blocks"][key] = [hex, dots]
    state["german_held"] = [*dict.fromkeys([*state["german_held"], *(germans or {})])]
    return Play(state, HOUSE)


def carry_on(play, *tasks, faces=(), choices=()):
    """Let tasks go on, with dice in their order (a pool is a tuple) and choices, to the first question beyond them.

    Returns what was told openly, and what is asked there.
    """
    play.do(*tasks)
    faces, choices, question = [*faces], [*choices], None
    while play.todo and not question:
        want, answer = find_next_want(play), None
        if isinstance(want, Ask):
            if not choices:
                question = want
                break
            answer = choices.pop(0)
            assert want.find(answer), (want.question, answer, [choice.slug for choice in want.choices])
        elif isinstance(want, Throw):
            assert faces, f"No dice for {want.spec}."
            answer = faces.pop(0)
        take_step(play, answer)
    assert not (faces or choices), f"Not used: {faces}, {choices}"
    sentences = [line.sentence for line in play.told if not line.known_to]
    play.told.clear()
    return sentences, question
