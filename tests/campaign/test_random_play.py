"""Seeded random play of whole campaigns: whatever the two sides try, the rows stay true.

Both sides act by the forms of the pages (tests.campaign.form_hands), sensibly and not; what must be possible must be
offered. After every single act an audit is held, an independent bookkeeper compares notes, a refusal must have changed
no row and say why, a form that is sent twice counts once, and what is taken back must leave the very rows of before.

Some 70 acts are played and audited, in a soak some 20,000, in parts that can run side by side. Only in a soak is it
checked too that the random player comes everywhere; otherwise that it gets about.

A part follows from its seed, dice of the app included: a failure comes back with the test's name alone.
"""

import random
import re
from collections import Counter

import pytest
from django.db import connection

from campaign.ledger.ledger import load
from campaign.models import Campaign, CpLine, Group, Seal, Unit
from campaign.rules.stages import Stage
from firefight.games.combat_stalingrad.rules.marks import Mark
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Act, LogEntry, Match, Seat
from firefight.table.log import reading
from tests.campaign.form_hands import Hands, Refusal
from tests.campaign.random_player import KINDS, REORGANIZING, RandomPlayer, Wish
from tests.filling import NotOffered
from tests.oracles.audit import VIEWERS, audit
from tests.oracles.bookkeeper import SIDES, Bookkeeper, other
from tests.soak import SEED, length, seeds

pytestmark = [pytest.mark.django_db, pytest.mark.soak]

A_PART = length(40, 500)
A_WAY_BACK = length(15, 200)  # acts that are all taken back
OF_CAMPAIGN = {Group: "campaign_id", Unit: "campaign_id", Seal: "campaign_id", CpLine: "campaign_id"}
LEDGER = {Campaign: "match_id", **OF_CAMPAIGN}
EVERYTHING = {Match: "id", Seat: "match_id", Act: "match_id", LogEntry: "match_id", **LEDGER}
OF_GROUP = ("rg", "bought_for", "box", "standing", "mark", "since")
OF_UNIT = ("counter", "sector", "hidden", "fate")
# Kinds whose forms spoil when anybody acts, and those that need no version at all.
STRICT, FREE = {"advance", "take_back", "answer"}, {"note"}
# Mines in a sector that is fought out, or that have outlived a firefight, are rare here; phase_fuzz blows up hundreds
# of units, and test_setting_up takes mines off.
RARE = {("suffer_mines", "done"), ("take_off", "done")}
STAGES = {stage.value for stage in Stage}
# Control to begin with: as the card has it, with Russians shut in in sector 11, with nobody's sectors 2 and 9.
HELD = ("", "ggrrgggrrrrgggrrrrrrrr", "gnrrrggrnrrrrrrrrrrrrr")


def rows_of(match_id, tables):
    """Every column of every row of a match, as the database has them."""
    rows = []
    with connection.cursor() as cursor:
        for model, column in tables.items():
            cursor.execute(f'SELECT * FROM "{model._meta.db_table}" WHERE "{column}" = %s ORDER BY 1', [match_id])
            rows.append(cursor.fetchall())
    return rows


def page_of(ledger):
    """The ledger as the bookkeeper would have it on his page."""
    campaign = ledger.campaign
    return {
        "stage": campaign.stage,
        "firefight": campaign.firefight,
        "turn": ledger.match.state.turn,
        "ready": set(campaign.ready),
        "attacker": campaign.attacker,
        "random_hex": campaign.random_hex,
        "control": {sector: holding.side or "" for sector, holding in ledger.control.items()},
        "groups": {
            side: {
                number: {name: getattr(group, name) for name in OF_GROUP}
                for number, group in ledger.groups[side].items()
            }
            for side in Side
        },
        "units": {
            side: {
                number: {
                    "group": unit.group.number if unit.group else None,
                    "marks": set(unit.marks),
                    "home": None if unit.fate else unit.home,
                    **{name: getattr(unit, name) for name in OF_UNIT},
                }
                for number, unit in ledger.units[side].items()
            }
            for side in Side
        },
        "hexes": {side: {number: unit.hex for number, unit in ledger.units[side].items()} for side in Side},
        "seals": {side: {n: (seal.kind, seal.standing) for n, seal in ledger.seals[side].items()} for side in Side},
        "lines": {side: {n: (line.amount, line.sealed) for n, line in ledger.lines[side].items()} for side in Side},
    }


def short_page(page):
    """The bookkeeper's page without what only he needs."""
    return {
        **{part: page[part] for part in page if part not in ("fought", "hexes")},
        "seals": {s: {n: (seal["kind"], seal["standing"]) for n, seal in page["seals"][s].items()} for s in SIDES},
        "lines": {s: {n: (line["amount"], line["sealed"]) for n, line in page["lines"][s].items()} for s in SIDES},
    }


def differences(actual, expected, place=""):
    """Where two pages differ: the ledger's value and the bookkeeper's, by place."""
    if actual == expected:
        return {}
    if not (isinstance(actual, dict) and isinstance(expected, dict)):
        return {place: (actual, expected)}
    differing = {}
    for key in {**actual, **expected}:
        differing |= differences(actual.get(key), expected.get(key), f"{place}/{key}")
    return differing


class Play:
    """One campaign at random. ``tried`` counts each kind of act by how it ended: done, refused, stale, repeated.

    ``audited``: every row is looked at after every act, which takes most of the time.
    """

    def __init__(self, seed, card="", hot_seat=None, audited=True):
        self.rng, self.audited = random.Random(seed), audited
        card = card or self.rng.choice(("cg1", "cg2"))
        self.hot_seat = self.rng.choice((True, False)) if hot_seat is None else hot_seat
        self.hands = Hands(card, self.hot_seat, seed)
        self.id = self.hands.match_id
        Match.objects.filter(pk=self.id).update(seed=f"{self.rng.getrandbits(256):064x}")
        letters = self.rng.choice(HELD)
        if letters:
            Campaign.objects.filter(pk=self.id).update(held=letters)
        self.books = Bookkeeper(card, letters)
        self.player = RandomPlayer(self.rng, self.books)
        self.tried, self.stages = Counter(), set()
        self.before = []  # of every act that stands: its id, and the ledger's rows before it
        self.notes = {side: [] for side in SIDES}  # sealed ones, which are never revealed here
        self._look()

    def _look(self):
        """Audit the rows, compare them with the bookkeeper's page, and remember them."""
        self.stages.add(self.books.page["stage"])
        if not self.audited:
            self.ledger = load(Match.objects.get(pk=self.id))
            self.rows = self.kept = ()
            return
        self.ledger = audit(self.id)
        page = {part: value for part, value in page_of(self.ledger).items() if part != "hexes"}
        assert differences(page, short_page(self.books.page)) == {}
        for side in Side:
            assert self.ledger.balance(side) == self.books.balance(side)
            assert self.ledger.known((other(side),)).balance(side) == self.books.known_balance(side)
            assert self.ledger.bought(side) == {rg: len(boxes) for rg, boxes in self.books.boxes(side).items()}
            assert Counter(unit.counter for unit in self.ledger.in_play(side)) == self.books.in_use(side)
        self.rows, self.kept = self._everything(), self._kept()

    def _everything(self):
        return rows_of(self.id, EVERYTHING) if self.audited else ()

    def _kept(self):
        """What taking an act back must restore."""
        return rows_of(self.id, LEDGER), self.ledger.match.state

    @property
    def match(self):
        """The match as it was after the last act."""
        return self.ledger.match

    @property
    def is_over(self):
        """Nothing in the ledger leads further."""
        return self.books.page["stage"] == "over"

    # One act

    def step(self):
        """One random act."""
        phase = self.ledger.campaign.phase
        step = phase.step.value if phase else ""
        self.do(self.player.wish(step, bool(self.match.proposal)), is_old=self.rng.random() < 0.1)

    def do(self, wish, is_old=False):
        """Try one act by the form of its page, and check what it left. ``is_old``: by a page that was left open."""
        reader = self.hands.open(wish, is_old)
        self.rows, was_fit = self._everything(), not is_old
        try:
            form, button = self.hands.fill_in(wish, reader)
            was_fit = not self._is_stale(wish, int(form.value("version")))
            sent, done = self.hands.send(wish, reader, form, button)
        except NotOffered as error:
            self.tried[wish.kind, "not offered"] += 1
            assert self._everything() == self.rows
            assert not (was_fit and wish.sure), f"{wish} is not offered: {error}"
        except Refusal as refusal:
            self._refused(wish, refusal, reader.status, was_fit)
        else:
            assert was_fit
            self._done(sent, done)
            if self.rng.random() < 0.05:
                self._send_again(wish)

    def _send_again(self, wish):
        """A form that is sent twice is done once."""
        before = self._everything()
        assert self.hands.send_again().status_code in (200, 403, 409)
        assert self._everything() == before
        self.tried[wish.kind, "repeated"] += 1

    def _is_stale(self, wish, version):
        """Whether a form of that version must not be accepted any more."""
        if wish.kind in FREE:
            return False
        if wish.kind in STRICT:
            return version is not None and version != self.match.version
        drawn, since = version or 0, self.ledger.campaign.stage_since
        later = self.match.acts.filter(side=wish.side, number__gt=drawn).exists()
        return later or not since <= drawn <= self.match.version

    def _refused(self, wish, refusal, status, was_fit):
        self.tried[wish.kind, "stale" if status == 409 else "refused"] += 1
        assert self._everything() == self.rows
        assert str(refusal).partition(": ")[2], "a refusal without a reason"
        assert "in another place" not in str(refusal), "the database had to refuse what the rules did not"
        assert not (was_fit and wish.sure), refusal
        assert not (was_fit and status == 409), refusal

    def _done(self, wish, done):
        self.tried[wish.kind, "done"] += 1
        if done.entries[0].sentence.startswith("Taken back"):
            self._taken_back(done.entries[0].number)
        elif wish.kind in ("take_back", "answer"):
            self._look_at_unchanged()
        else:
            self._heard(wish, done)
        self._check_told(wish, done)

    def _heard(self, wish, done):
        faces = {die.die: die.face for entry in done.entries for die in entry.rolls}
        if wish.dice and wish.dice.source == "table":
            assert faces.items() <= wish.dice.faces.items()
        self.before.append((done.act.pk, self.kept))
        phase = self.ledger.campaign.phase
        is_settled = phase is not None and phase.step != "after_action"
        if wish.kind in REORGANIZING or (is_settled and wish.kind in ("report", "end_nest")):
            self.books.take_over(page_of(load(done.match)))
        else:
            self.books.hear(wish.kind, wish.side, wish.asked, faces)
        if wish.kind == "note" and wish.asked["sealed"]:
            self.notes[wish.side].append(wish.asked["text"])
        self._look()

    def _taken_back(self, by):
        """Check that all is as it was, also where an act went and those that were done since stand."""
        voided = set(LogEntry.objects.filter(match=self.id, voided_by=by).values_list("act", flat=True))
        places = [place for place, (act, _) in enumerate(self.before) if act in voided]
        assert len(places) == len(voided)
        self.books.take_back(places)
        first, rows = places[0], self.before[places[0]][1]
        acts_left = [act for act, _ in self.before[first:] if act not in voided]
        del self.before[first:]
        self._look()
        assert acts_left or rows is None or self.kept == rows
        self.tried["take_back", "apart" if acts_left else "last"] += 1
        # Nobody tells what stood before the acts that were done since; going on from here is all that counts.
        self.before += [(act, None) for act in acts_left]

    def _look_at_unchanged(self):
        before = self.kept
        self._look()
        assert self.kept == before

    # What the log gives away

    def _check_told(self, wish, done):
        """Nothing that everybody reads counts hidden units or says where they are."""
        sentences = [entry.sentence for entry in done.entries]
        counted = sum(int(number) for sentence in sentences for number in re.findall(r"(\d+) ×", sentence))
        units = self.ledger.units[Side(wish.side)]
        if wish.kind == "place" and wish.asked["hidden"]:
            assert sentences == [f"{wish.side.capitalize()} writes something down under seal."]
        elif wish.kind == "report":
            assert counted <= sum(not units[number].hidden for number in set(wish.asked["numbers"]))
        elif wish.kind == "confirm":
            open_units = [unit for side in Side for unit in self.ledger.in_play(side) if not unit.hidden]
            assert counted == sum(Mark.PINNED in unit.marks or Mark.SUPPRESSED in unit.marks for unit in open_units)
            public = [line for line in self.ledger.lines[Side(wish.side)].values() if not line.sealed]
            paid = [line for line in public if line.firefight == self.ledger.campaign.firefight]
            charged = sum(line.reason.startswith("Set-up") for line in paid)
            assert sum(sentence.count(" CP for ") for sentence in sentences) == charged

    def check_whole_log(self):
        """No reader finds in the log, or in what he may know of the ledger, what the other side holds sealed."""
        entries = list(LogEntry.objects.filter(match=self.id))
        for sees in VIEWERS:
            read = " ".join(f"{line.sentence} {line.secret}" for line in reading.visible(entries, sees))
            known = self.ledger.known(sees)
            for side in Side:
                read += repr([seal.data for seal in known.seals[side].values()])
                read += repr([line.reason for line in known.lines[side].values()])
            words = set(re.findall(r"[A-Y]\d+|note \d+\.", read))
            for side in set(Side) - set(sees):
                assert not words & {*self.notes[side], *self._sealed_hexes(side)}

    def _sealed_hexes(self, side):
        """The hexes of plots and observers that stand in no open record."""
        opened, sealed = set(), set()
        for seal in self.ledger.seals[side].values():
            hexes = {*seal.data.to_json().get("hexes", ()), seal.data.to_json().get("hex")} - {None}
            (opened if seal.standing == Seal.Standing.OPEN else sealed).update(hexes)
        return sealed - opened

    # Taking everything back

    def take_all_back(self):
        """Take back one act after another, asking where the other side has to agree."""
        while self.before:
            left = len(self.before)
            side = Act.objects.filter(match=self.id, taken_back=False).latest("number").side
            self._do_plainly("take_back", side)
            if len(self.before) == left:
                self._do_plainly("answer", other(side), agrees=True)
            assert len(self.before) == left - 1

    def _do_plainly(self, kind, side, **fields):
        done = self.tried[kind, "done"]
        self.do(Wish(kind, side, fields))
        assert self.tried[kind, "done"] == done + 1


def campaigns(seed, acts, audited=True):
    """Campaigns one after the other, until so many acts are tried."""
    left, number = acts, 0
    while left > 0:
        play, number = Play(f"{seed}-{number}", audited=audited), number + 1
        lingering = 10
        while left > 0 and lingering:
            play.step()
            left, lingering = left - 1, lingering - play.is_over
        play.check_whole_log()
        yield play


@pytest.mark.parametrize("seed", seeds(1, 40))
def test_whatever_both_sides_try_the_rows_stay_true(seed):
    for play in campaigns(seed, A_PART):
        assert play.tried


def test_the_random_player_comes_everywhere():
    missing = {(kind, "done") for kind in KINDS} - RARE | STAGES
    most = length(len(missing) * 3 // 4, 0)  # a short run comes to a quarter of it
    for play in campaigns("everywhere", length(60, 3000), audited=False):
        missing -= play.tried.keys() | play.stages
        if len(missing) <= most:
            return
    pytest.fail(f"This never came up, so that the player's weights need a look: {missing}")


@pytest.mark.parametrize(
    ("card", "hot_seat"), [("cg1", True), ("cg2", False), ("cg1", False), ("cg2", True)][: length(2, 4)]
)
def test_taking_everything_back_ends_in_the_rows_of_the_beginning(card, hot_seat):
    play = Play(f"back-{card}-{SEED}", card, hot_seat)
    beginning = play.kept
    for _ in range(A_WAY_BACK):
        play.step()
    assert play.kept != beginning
    play.take_all_back()
    assert play.kept == beginning
