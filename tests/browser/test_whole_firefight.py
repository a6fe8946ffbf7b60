"""A whole firefight of Into the Inferno on a phone and a laptop, fumbles included: at its end the log's second book
agrees with counters.json, and the Reorganization Phase begins with nothing told.

In `make test` it is one turn with one fumble. Their books are kept without a browser, too, by players at random
(tests/campaign/test_random_firefight.py), and each fumble, a mission and a melee have a walk of their own here.
"""

import random

import pytest
from playwright.sync_api import expect

from campaign.rules.stages import Stage
from tests.campaign import players
from tests.firefight.table.random_table import known
from tests.firefight.table.test_random_table import told, union_of_logs
from tests.oracles.historian import check_story
from tests.oracles.tablekeeper import FIELDS, TableKeeper
from tests.soak import IS_WHOLE, SEED, length

from .ledger import end_turn
from .table import POLL, desk_title, entry, log_up_to, open_dice, press_turn, take_cookies
from .test_hand import open_sheet, press
from .test_reorganization import heading
from .test_reorganization import press as press_phase
from .test_thumb import bar, place

pytestmark = [pytest.mark.soak, pytest.mark.usefixtures("page_errors_allowed")]

TURNS, LAST_TURN = length(1, 7), 7
ROLLS = length(3, 60)  # at least, in all
HEXES = {"german": ("K7", "K8", "K9"), "russian": ("L7", "L8", "L9")}
FAR = "R30"  # where artillery falls without danger to its own side
MELEE = "L9"  # where both sides fight hand to hand
SECTORS = {"german": "11", "russian": "12"}
# What a squad may be and still fire.
FIT = {"reduced", "pinned"}
OTHER = {"german": "russian", "russian": "german"}


def place_squads(table):
    """Into the firefight, with the squads of both sides in three hexes each, and what else the Russian has far off."""
    players.play_to(table, Stage.FIREFIGHT)
    for side, hexes in HEXES.items():
        player = getattr(table, side)
        squads = [counter["id"] for counter in known(player, side) if counter["counter"].endswith("squad")]
        for number, at in enumerate(hexes):
            player.do("counters/", id=squads[number::3], place=at, area=SECTORS[side])
    rest = [counter["id"] for counter in known(table.russian, "russian") if not counter["counter"].endswith("squad")]
    table.russian.do("counters/", id=rest, place=FAR, area=SECTORS["russian"])
    return table


class Firefight:
    """Two browsers at one firefight, and what is thrown at their table; ``start``: how counters stood before."""

    def __init__(self, table, pages):
        self.players = {side: getattr(table, side) for side in HEXES}
        self.pages, self.rng = pages, random.Random(SEED)
        self.start = [counter for side in HEXES for counter in known(self.players[side], side)]
        self.after = self.match.last_number
        self.address = f"/match/{self.match.pk}/"
        for side, page in pages.items():
            take_cookies(page, self.players[side])

    @property
    def match(self):
        """The match as it is stored now."""
        return self.players["german"].match

    @property
    def rolls(self):
        """How many rolls the log has."""
        return sum(line.kind == "roll" for line in self.players["german"].log)

    def open_table(self):
        for page in self.pages.values():
            page.goto(self.address)
            expect(page.locator("#table .counter").first).to_be_visible()

    def hear(self):
        """Until both pages show all that has been done."""
        for page in self.pages.values():
            expect(log_up_to(page, self.match.last_number)).to_be_attached(timeout=POLL)

    # Dice

    def type_dice(self, page, *faces):
        """Type faces into the dice on the desk, if it asks for any; any where none are given. Returns Resolve."""
        resolve = page.locator("#desk-form").get_by_role("button", name="Resolve", exact=True).locator("visible=true")
        expect(resolve.last).to_be_visible()
        for number, box in enumerate(page.locator("#desk-form input.die:visible").all()):
            sides = int(box.get_attribute("data-sides"))
            box.fill(str(faces[number] if number < len(faces) else self.rng.randint(1, sides - 1)))
        return resolve.last

    def throw(self, page, *faces):
        """Type dice, resolve, and let both hear of it."""
        version = self.match.version
        button = self.type_dice(page, *faces)
        with page.expect_response(lambda answer: answer.request.method == "POST"):
            button.click()
        assert self.match.version > version, page.locator("#desk").inner_text()
        self.hear()

    def settle(self, side):
        """A side rolls all that is due, but for what only the other one rolls."""
        for_other = self.pages[side].locator("#desk").get_by_text(f"The {OTHER[side].capitalize()} rolls this.")
        while self.match.state.queue:
            self.throw(self.pages[OTHER[side] if for_other.is_visible() else side])
        expect(self.pages[side].get_by_text("Nothing more is due")).to_be_visible()

    # Counters

    def standing(self, side, at=()):
        """The units of a side that are in play in some hexes: where they fire at each other, if no others are named."""
        hexes = at or {place for side_hexes in HEXES.values() for place in side_hexes} - {MELEE}
        return [
            counter for counter in known(self.players[side], side) if counter["place"] in hexes and not counter["fate"]
        ]

    def find_firers(self, side):
        """Up to two squads in one hex that may fire."""
        fit = [counter for counter in self.standing(side) if FIT.issuperset(counter["state"])]
        at = self.rng.choice(fit)["place"] if fit else ""
        return [counter["id"] for counter in fit if counter["place"] == at][:2]

    def find_target(self, side, but=""):
        """A hex with enemies."""
        hexes = sorted({counter["place"] for counter in self.standing(OTHER[side])})
        return self.rng.choice([name for name in hexes if name != but] or hexes or [""])

    def rally(self, side):
        """Whoever may not fire is set back by hand."""
        unfit = [counter["id"] for counter in self.standing(side) if not FIT.issuperset(counter["state"])]
        if unfit:
            open_sheet(self.pages[side], *unfit)
            press(self.pages[side], "Good Order")
            self.hear()
            self.pages[side].goto(self.address)

    def send_in(self, side):
        """A squad goes by hand to where both sides fight hand to hand, unless one is there."""
        page = self.pages[side]
        if not self.standing(side, at={MELEE}):
            open_sheet(page, self.standing(side)[0]["id"])
            page.locator("#desk .by-hand").get_by_label("Hex, as").fill(MELEE)
            press(page, "Move there")
            self.hear()

    # Attacks

    def aim(self, side, target):
        """Tap who fires, Fire, and the hex fired at."""
        page = self.pages[side]
        for counter_id in self.find_firers(side):
            page.locator(f"#c-{counter_id}").click()
        bar(page, "Fire").click()
        place(page, target).click()
        expect(desk_title(page)).to_have_text("Fire (FFT)")

    def fire_at_the_wrong_place(self, side):
        """It is taken back, and the right one is fired at."""
        page, target = self.pages[side], self.find_target(side)
        self.aim(side, self.find_target(side, but=target))
        self.throw(page, 35)
        self.take_back(side)
        self.aim(side, target)
        self.throw(page, 45)
        self.settle(OTHER[side])

    def take_back(self, side):
        version, page = self.match.version, self.pages[side]
        with page.expect_response("**/take-back/"):
            page.locator("#do-take-back").click()
        assert self.match.version > version
        assert not self.match.proposal  # dice of the table are one's own
        self.hear()

    def fire_with_a_wrong_die(self, side):
        """It is seen only when the other has rolled what it brought, and corrected from the log."""
        page = self.pages[side]
        self.aim(side, self.find_target(side))
        number = self.match.last_number + 1
        self.throw(page, 25)
        self.settle(OTHER[side])
        open_dice(page, number).get_by_role("link", name="Correct the dice").first.click()
        expect(desk_title(page)).to_have_text(f"Correct № {number}")
        self.throw(page, 65)
        self.settle(OTHER[side])

    def fire_without_a_connection(self, side):
        """What was typed stays, and is sent once."""
        page, rolls = self.pages[side], self.rolls
        self.aim(side, self.find_target(side))
        page.context.set_offline(True)
        self.type_dice(page, 55).click()
        expect(page.locator("#unsent")).to_contain_text("Your 55 is kept.")
        page.context.set_offline(False)
        with page.expect_response("**/roll/fire/"):
            page.locator("#unsent").get_by_role("button", name="Try again").click()
        self.hear()
        assert self.rolls == rolls + 1
        self.settle(OTHER[side])

    def fire_with_a_reload(self, side):
        """The form comes back as it was opened."""
        page = self.pages[side]
        self.aim(side, self.find_target(side))
        self.type_dice(page, 15)
        page.reload()
        expect(desk_title(page)).to_have_text("Fire (FFT)")
        self.throw(page, 50)
        page.goto(self.address)
        self.settle(OTHER[side])

    def call_mission(self):
        """A battery of the German finds its target and fires for effect."""
        self.players["german"].do("rows/", field="missions", **{"part-caliber": "105"})
        self.open_table()
        page = self.pages["german"]
        place(page, FAR).click()
        page.locator("#kept-cards").get_by_role("button", name="Contact", exact=True).last.click()
        self.throw(page, 30)
        self.throw(page, 30)
        self.throw(page, 60)
        self.settle("russian")

    def fight_hand_to_hand(self):
        """Both sides declare at their own devices, and one rolls what it may."""
        for side in HEXES:
            self.send_in(side)
        self.press_next_phase()
        assert self.match.state.phase == "melee"
        for page in self.pages.values():
            page.locator("#due").get_by_role("link", name=f"Close Combat in {MELEE}").click()
            with page.expect_response(lambda answer: answer.request.method == "POST"):
                page.get_by_role("button", name="Declare", exact=True).click()
            self.hear()
        assert self.match.state.queue
        self.settle("russian")

    def press_next_phase(self):
        number = self.match.last_number
        press_turn(self.pages["german"], "Next phase")
        expect(entry(self.pages["german"], number + 1)).to_be_attached()
        self.hear()

    def play_turn(self):
        """One turn, with every fumble or a few of them."""
        self.open_table()
        while self.match.state.phase != "fire_and_movement":
            self.press_next_phase()
        attacks = (
            (self.fire_at_the_wrong_place, "german"),
            (self.fire_with_a_wrong_die, "russian"),
            (self.fire_without_a_connection, "german"),
            (self.fire_with_a_reload, "russian"),
        )
        for side in HEXES:
            self.rally(side)
        for attack, side in attacks[: length(1, 4)]:
            if self.find_firers(side) and self.find_target(side):
                attack(side)
        if IS_WHOLE:
            self.call_mission()
            self.fight_hand_to_hand()

    def check_books(self):
        assert TableKeeper(self.start).keep(union_of_logs(self), self.after).plain() == told(self)


@pytest.mark.long
def test_two_browsers_fight_a_whole_firefight(new_page, frozen):
    table = place_squads(frozen("inferno", lambda: players.seated("cg1")))
    play = Firefight(table, {"german": new_page(), "russian": new_page(width=1280, height=800)})
    campaign = f"/campaign/{play.match.pk}/"
    for turn in range(1, TURNS + 1):
        play.play_turn()
        play.check_books()
        play.pages["german"].goto(f"{campaign}firefight/")
        end_turn(play.pages["german"], turn, face=1 if turn in (5, 6) else None)
    for turn in range(TURNS + 1, LAST_TURN - 1):
        table.german.end_turn(**({"die": 10} if turn == LAST_TURN - 2 else {}))
    print(f"{play.rolls} rolls in {TURNS} turns")
    assert play.rolls >= ROLLS
    assert table.german.stage is Stage.REORGANIZATION
    play.check_books()
    check_story(play.match)
    begin_reorganization(play, campaign)


def begin_reorganization(play, campaign):
    """Both say that all is told, and nobody has told anything: rolls have written it."""
    before, number = told(play), play.match.last_number
    assert before != {counter["id"]: {name: counter[name] for name in FIELDS} for counter in play.start}
    for page in play.pages.values():
        page.goto(f"{campaign}reorganization/")
        expect(heading(page)).to_contain_text("What became of the units")
        press_phase(page, "Report complete")
    for page in play.pages.values():
        expect(heading(page)).not_to_contain_text("What became of the units", timeout=POLL)
    assert not [line for line in play.players["german"].log if "report" in line.sentence.lower()]
    assert play.match.last_number > number
