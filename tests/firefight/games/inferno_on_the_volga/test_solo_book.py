"""Random games against the app, held against a second book-keeper after every step (tests/oracles/inferno_book.py)."""

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from firefight.engine.course.conducting import Ask, Throw
from firefight.games.inferno_on_the_volga.rules.levels import ADVANTAGES
from firefight.games.inferno_on_the_volga.rules.tables import FORTIFIED, GERMAN_LEADERS, OKH_HEXES, SOVIET_LEADERS
from firefight.games.inferno_on_the_volga.solo.play import Play, to_do
from firefight.games.inferno_on_the_volga.solo.policies import POLICIES
from firefight.games.inferno_on_the_volga.solo.setting_up import build_state
from firefight.games.inferno_on_the_volga.solo.turn import find_next_want, take_step
from tests.oracles import inferno_book
from tests.soak import seeds

from .solo_games import HOUSE, random_faces

LEVELS = ("standard", "normal", "easy_german", "easy_soviet", "impossible_german")
GOLDEN = sorted((Path(__file__).parents[3] / "games" / "golden").glob("inferno-*.txt"))
TEMPERS = ("any", "calling", "fighting", "planning")
LEADERS = {*map(str, (*GERMAN_LEADERS, *SOVIET_LEADERS))}
KEPT = ("rows", "hq", "raus", "advantages", "decks", "hands", "extra_used", "over", "turn", "side")
SORTED = ("removed", "rubble", "german_held", "fortified")
pytestmark = pytest.mark.soak


def show_face(state):
    """The app's game as the book shows its own."""
    on_map = HOUSE.board.hexes
    return (
        {name: state[name] for name in KEPT}
        | {name: sorted(state[name]) for name in SORTED}
        | {name: {side: sorted(cards) for side, cards in state[name].items()} for name in ("leaders", "discards")}
        | {"blocks": {key: (at, dots if at in on_map else 0) for key, (at, dots) in state["blocks"].items()}}
    )


def show_wanted(want, book):
    """What the app waits for as the book says it."""
    if isinstance(want, Throw) and want.spec.name == "rubble":
        assert want.spec.label == f"Rubble Roll, {max(3, 19 - book.fight.modifier)} or more"
    if isinstance(want, Ask):
        return inferno_book.Ask({choice.slug for choice in want.choices})
    return inferno_book.Throw(want.spec.number, want.spec.sides)


def find_difference(app, book):
    """What both say, where they differ."""
    differ = {name: (app[name], book[name]) for name in app if app[name] != book[name]}
    if "blocks" in differ:
        ours, theirs = differ["blocks"]
        differ["blocks"] = {key: (ours[key], theirs[key]) for key in ours if ours[key] != theirs[key]}
    return differ


class Hand:
    """Who decides, by temper: at random, with a liking for fights or calls, or somebody who plans."""

    def __init__(self, chance, temper):
        self.chance, self.temper = chance, temper

    def choose(self, question, play):
        slugs = [choice.slug for choice in question.choices]
        if self.temper == "planning" and self.chance.random() < 0.8:
            return POLICIES["greedy"](question, play)
        liked = {"calling": ("call",), "fighting": ("deliberate", "hasty")}.get(self.temper, ())
        if (liked_slugs := [slug for slug in slugs if slug in liked]) and self.chance.random() < 0.7:
            return self.chance.choice(liked_slugs)
        rare = ("back", "auto", "all", "done")
        often = [slug for slug in slugs if slug not in rare]
        return self.chance.choice(often if often and self.chance.random() < 0.9 else slugs)


BEFORE_GATES = ["104", "98", "94"]  # next to X, Y and Z


def invent_position(level, chance):
    """A game about to begin a German turn that few games come to: little is left, much is held, leaders are in play.

    Of three kinds: Germans hold nearly all of the coast; many Soviets stand before X, Y and Z; anything else.
    """
    state = build_state(HOUSE, level=level) | {"todo": [to_do("german_turn")], "turn": chance.randint(2, 30)}
    kind = chance.choice(("coast", "gates", "anywhere"))
    hexes = [hex for hex in HOUSE.board.hexes if kind != "gates" or hex not in [*BEFORE_GATES, *"XYZ"]]
    chance.shuffle(hexes)
    hexes_held = {*state["german_held"]}
    for block, hex in stand("german", hexes, chance):
        hexes_held.add(hex)
        state["blocks"][block.key] = [hex, chance.randint(1, block.top)]
    put_aside(state, chance)
    if kind == "coast":
        spared = chance.sample(OKH_HEXES, chance.randint(0, 2))
        hexes_held |= {*OKH_HEXES} - {*spared}
        hexes = [hex for hex in hexes if hex not in OKH_HEXES or hex in spared]
    next_to = HOUSE.board.next_to
    hexes.sort(key=lambda hex: any(state["blocks"][key][0] in next_to[hex] for key in HOUSE.blocks))
    if kind == "gates":
        hexes += BEFORE_GATES
        hexes_held.discard(chance.choice("XYZ"))
    else:  # full Stacks side by side
        together = [*[hex for hex in next_to[hexes[-1]] if hex in hexes][:2], hexes[-1]]
        hexes = [*(hex for hex in hexes if hex not in together), *together]
    for block, hex in stand("soviet", hexes, chance, full=3):
        hexes_held.discard(hex)
        state["blocks"][block.key] = [hex, chance.randint(1, block.top)]
    state["german_held"] = [
        *sorted(hexes_held),
        *(hex for hex in hexes if hex not in hexes_held and chance.random() < 0.4),
    ]
    lay_cards(state, level, chance)
    urban = [hex for hex, terrain in HOUSE.board.terrain.items() if terrain == "urban"]
    state["rubble"] = chance.sample(urban, chance.choice((0, 3, 14, 15)))
    if "chuikov" in state["leaders"]["soviet"] and "chuikov" in state["advantages"]["soviet"]:
        occupied = {at for at, _ in state["blocks"].values()}
        free = [hex for hex in HOUSE.board.hexes if hex not in state["german_held"]]
        near = [hex for hex in free if hex not in occupied and occupied & {*next_to[hex]} & {*state["german_held"]}]
        state["hq"] = chance.choice(near or free)
    if level == "impossible_german":
        state["fortified"] = [hex for hex in FORTIFIED if hex not in state["german_held"]]
    return state


def stand(side, hexes, chance, full=1):
    """Blocks of a side in hexes off the end of a list: marked ones first, ``full`` Stacks of four."""
    blocks = HOUSE.of_side(side)
    chance.shuffle(blocks)
    blocks.sort(key=lambda block: bool(block.marks) and chance.random() < 0.7)
    while blocks and hexes and chance.random() > 0.08:
        hex = hexes.pop()
        full -= 1
        for _ in range(min(len(blocks), 4 if full >= 0 else chance.choice((1, 1, 2, 3)))):
            yield blocks.pop(), hex


def put_aside(state, chance):
    """The Germans who are not on the map: dead, Removed by an empty row, on the track, or not yet called."""
    row_of = {key: row for row, key in enumerate(HOUSE.track, 1)}
    for block in [block for block in HOUSE.of_side("german") if state["blocks"][block.key][0] == "out"]:
        axe = "axe" in block.marks
        places = ["out"] if axe else ["dead", *(["removed"] * 3 if block.key in row_of else ["track"] * 3)]
        at = chance.choice(places)
        if at == "removed":
            state["removed"].append(row_of[block.key])
        rows = [row for row in state["rows"] if len(row) < 5]
        if at == "track":
            chance.choice(rows).append(block.key)
        state["blocks"][block.key] = [at, block.top if at == "track" else 0]


def lay_cards(state, level, chance):
    """Cards in hands, in play, and few left; Advantages."""
    if level == "normal":
        state["advantages"] = {
            side.value: chance.sample(names, chance.randint(0, 6)) for side, names in ADVANTAGES.items()
        }
    for side, deck in state["decks"].items():
        cards = deck["left"]
        chance.shuffle(cards)
        cards.sort(key=lambda card: card != "chuikov" or level != "normal")  # his HQ is of that level alone
        used, deck["left"] = cards[: chance.choice((1, 2, 5, 12))], []
        for card in used:
            (state["leaders"][side] if card in LEADERS else state["discards"][side]).append(card)
        for card in cards[len(used) :]:
            pile = chance.choice(("left", "left", "hand", "discards"))
            piles = {"left": deck["left"], "hand": state["hands"][side], "discards": state["discards"][side]}
            piles["left" if card in LEADERS else pile].append(card)
    deck, removed = state["decks"]["soviet"]["left"], len(state["removed"])
    if removed and "okh" in state["leaders"]["german"] and chance.random() < 0.7:  # turns that OKH gives
        state["discards"]["soviet"] += deck
        deck.clear()
        state["extra_used"] = chance.randint(0, removed - 1)


def play_both(level, chance, temper="any", invented=False):
    """A game by the app and by the book; what was compared, and what happened. Raises AssertionError."""
    hand, throw = Hand(chance, temper), random_faces(chance)
    state, book = build_state(HOUSE, level=level), inferno_book.Book(level)
    pages, counts = book.play(), Counter()
    if invented:
        state = invent_position(level, chance)
        book.take_over(show_face(state))
        pages = book.go_on()
    book_want = next(pages)
    while not state["over"]:
        play = Play(state, HOUSE)
        want = find_next_want(play)
        answer = None
        if isinstance(want, Ask | Throw):
            counts["compared"] += 1
            assert find_difference(show_face(state), book.face) == {}, play.todo[-1]
            assert book_want == show_wanted(want, book), (play.todo[-1], want)
            answer = hand.choose(want, play) if isinstance(want, Ask) else throw(want.spec)
            counts[play.todo[-1]["do"]] += 1
            book_want = next_page(pages, answer)
        take_step(play, answer)
        state = play.state
    assert book_want is None, book_want
    assert find_difference(show_face(state), book.face) == {}
    counts[state["over"]] += 1
    return counts


def next_page(pages, answer):
    """What the book waits for next; None once it is over."""
    try:
        return pages.send(answer)
    except StopIteration:
        return None


@pytest.mark.parametrize("seed", seeds(3, 200))
@pytest.mark.parametrize("level", LEVELS)
def test_a_second_book_keeper_agrees_on_a_random_game(level, seed):
    chance = Random(f"book {level} {seed}")
    temper = TEMPERS[int(seed.rpartition("-")[2]) % 4]
    assert play_both(level, chance, temper)["compared"] > 100


@pytest.mark.parametrize("seed", seeds(7, 200))
@pytest.mark.parametrize("level", LEVELS)
def test_a_second_book_keeper_agrees_on_a_game_from_an_invented_position(level, seed):
    chance = Random(f"invented {level} {seed}")
    assert play_both(level, chance, chance.choice(TEMPERS), invented=True)["compared"]


THROWN = re.compile(r"\* ([\d,]+)  .*, (?:(?P<pool>\d+) d|1 of (?P<cards>\d+) cards?|(?P<dice>\d*)d)(?P<sides>\d*) \(")


def read_golden(path):
    """What a golden game waited for, and what it got: a throw and its faces, a question and the answer."""
    choices = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        if match := THROWN.match(line):
            faces = tuple(map(int, match[1].split(",")))
            number = int(match["pool"] or match["dice"] or 1)
            answer = faces if match["pool"] else sum(faces)
            yield inferno_book.Throw(number, int(match["cards"] or match["sides"])), answer
        elif line.startswith("  "):
            choices.add(line.split()[0])
        elif line.startswith("> "):
            yield inferno_book.Ask(choices), line[2:]
            choices = set()
        else:
            assert not line.startswith("*"), line


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_book_keeper_follows_a_golden_game(path):
    book = inferno_book.Book(path.stem.split("-")[1])
    pages = book.play()
    book_want = next(pages)
    for number, (want, answer) in enumerate(read_golden(path)):
        assert book_want == want, number
        book_want = next_page(pages, answer)
    assert book_want is None and f"\n! {book.over}, after" in path.read_text(encoding="utf-8")
