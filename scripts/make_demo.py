#!/usr/bin/env python3
"""Play the demo through the pages of the app, and keep it as campaign/data/demo.json.

Two browsers play it in a database of its own: a firefight from set-up to its end, the Reorganization Phase after it,
and the next firefight up to the middle of its third turn. The dice are the app's, from SEED; the time is a clock's that
goes on with every act. So the same script always writes the same file; tests/campaign/test_make_demo.py plays it again
and compares. Needs the packages of requirements-dev.txt: python scripts/make_demo.py (--tell prints the log, too)
"""

import argparse
import itertools
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

ID, CARD, NAME = "the-demo", "cg1", "Demo: Into the Inferno, the second firefight"
SEED = "5e" * 32
EVENINGS = (datetime(2026, 2, 6, 18, 4, tzinfo=UTC), datetime(2026, 2, 7, 18, 32, tzinfo=UTC))
PACE = timedelta(seconds=52)  # from one act to the next
MOST_DUE = 20  # rolls that one roll may ask for, one after the other
SIDES = ("german", "russian")


class Clock:
    """The time in the script: it goes on with every act, and a firefight is an evening."""

    def __init__(self) -> None:
        self.at, self.act = EVENINGS[0], None

    def read(self, act: Any) -> datetime:
        """When a line of an act is written."""
        if act is not self.act:
            self.at, self.act = self.at + PACE, act
        return self.at


@contextmanager
def repeatable(clock: Clock) -> Iterator[None]:
    """Lines are written at the clock's time, and sealed with salts in their order."""
    from firefight.table.act import writing

    compose: Callable[..., Any] = writing.compose
    salts = itertools.count(1)

    def timed(match: Any, act: Any, *line: Any, **more: Any) -> Any:
        return compose(match, act, *line, at=clock.read(act), **more)

    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(writing, "compose", timed))
        secrets = SimpleNamespace(token_hex=lambda size: f"{next(salts):0{2 * size}x}")
        stack.enter_context(mock.patch.object(writing, "secrets", secrets))
        yield


class Play:
    """A campaign with a browser for each side. Units are called by their numbers: german 1, russian 7."""

    def __init__(self, clock: Clock) -> None:
        from campaign.acts.beginning import begin
        from tests.campaign.players import Player

        self.clock = clock
        _, tokens = begin(CARD, NAME, hot_seat=False, id=ID, seed=SEED)
        self.players = {side: Player(ID) for side in SIDES}
        for side, player in self.players.items():
            player.client.get(f"/seat/{tokens[side]}/")
            player.client.post("/claim/")
            player.holds = side
        self.german, self.russian = self.players.values()

    @property
    def match(self) -> Any:
        """The match as it is stored now."""
        return self.german.match

    def sit(self, side: str, at: str = "") -> Any:
        """A side's browser in front of the match's page."""
        from tests.filling import Reader

        return Reader(self.players[side].client).open(f"/match/{self.match.pk}/{at}")

    # By the campaign's pages

    def done(self, response: Any) -> None:
        """Check that something was done."""
        from tests.campaign.players import words_of

        assert response.status_code in (200, 302), words_of(response)

    def buy(self, side: str, *groups: str) -> None:
        """Buy reinforcement groups, with the app's dice where one makes a roll."""
        for group in groups:
            self.done(self.players[side].press("buy", f"roster/{side}/?group={group}", dice="app"))

    def set_up(self, side: str, places: Iterable[tuple[int, int]], hidden: int | None = None) -> None:
        """Set groups up in their sectors, one of them hidden, and end the own set-up."""
        player = self.players[side]
        for group, sector in places:
            self.done(player.place(group, sector, hidden=group == hidden))
        self.done(player.confirm())

    def end_turn(self) -> None:
        """End the turn, with the app's die where one is rolled, and a Close Combat left open where one is."""
        from tests.campaign.players import forms_in

        is_rolled = self.german.form("end-turn", "firefight/").offers("die")
        dice = {"dice": "app"} if is_rolled else {}
        response = self.german.end_turn(**dice)
        if response.status_code == 422:
            (all_the_same,) = forms_in(response, "end-turn")
            response = self.german.post("firefight/", all_the_same.filled(**dice))
        self.done(response)

    # At the table

    def do(self, side: str, at: str, /, **fields: Any) -> None:
        """Do what a form of the match's page does."""
        self.done(self.players[side].do(at, **fields))

    def go(self, side: str, numbers: Iterable[int], place: str, sector: int) -> None:
        """Put units into a hex of a sector."""
        ids = [f"{side}-{number}" for number in numbers]
        self.do(side, "counters/", id=ids, place=place, level="", area=str(sector))

    def go_to(self, phase: str) -> None:
        """Go on in the turn until a phase begins."""
        while self.match.state.phase != phase:
            self.do("german", "advance/", button="phase")

    def fire(self, side: str, firers: Iterable[int], targets: Iterable[int], **answers: Any) -> None:
        """Fire at units of the other side, and roll all that follows. ``answers``: for other fields of the form."""
        self.open_fire(side, firers, targets, **answers)
        self.settle()

    def open_fire(self, side: str, firers: Iterable[int], targets: Iterable[int], **answers: Any) -> None:
        """The same without what follows."""
        enemy = "russian" if side == "german" else "german"
        reader = self.sit(side)
        chosen = [f"{side}-{number}" for number in firers] + [f"{enemy}-{number}" for number in targets]
        reader.form("#table").fill(chosen=chosen)
        (button,) = reader.find("#rolls [data-roll=fire]")
        reader.press_node(button)
        self.roll(reader, answers)

    def roll(self, reader: Any, answers: dict[str, Any]) -> None:
        """Fill in the desk's form, and roll: in the app, or with the die in ``answers`` as it lay on the table."""
        form = reader.form("#desk-form").fill(answers)
        if "shows" in form.names():
            form.fill(shows=True)
        is_typed = any(name.endswith("die") for name in answers)
        form.press("dice=app" if not is_typed and ("dice", "app") in form.buttons() else "")
        assert not reader.has("#desk .trouble"), reader.words("#desk .trouble")

    def correct(self, side: str, roll: str, **answers: Any) -> None:
        """Correct the newest roll of a kind, which was typed wrongly."""
        line = [entry for entry in self.german.log if entry.helper == roll][-1]
        self.roll(self.sit(side, f"roll/{roll}/?corrects={line.number}"), answers)
        self.settle()

    def settle(self, **answers: Any) -> None:
        """Roll whatever is due, each side its own. ``answers``: what a form asks that nothing has filled in."""
        for _ in range(MOST_DUE):
            if not self.match.state.queue:
                return
            version = self.match.version
            for side in self.players:
                reader = self.sit(side)
                first = self.match.state.queue[0]
                if first.helper == "fire" and not first.inputs.get("units"):
                    self.do(side, "drop/", step=first.id)  # shells that fall where nobody is
                elif reader.has("#desk-form button[name=dice]"):
                    form = reader.form("#desk-form")
                    blank = {
                        name: value for name, value in answers.items() if name in form.names() and not form.value(name)
                    }
                    form.fill(blank).press("dice=app")
                if self.match.version != version:
                    break
        raise AssertionError([step.title for step in self.match.state.queue])

    def call(self, side: str, mission: str, roll: str, **answers: Any) -> None:
        """Roll for a battery by the button of its card. ``answers``: for the roll's form."""
        reader = self.sit(side)
        buttons = [
            node for node in reader.find(f"#missions-{mission} form[method=get]") if roll in node.attributes["action"]
        ]
        assert buttons, [node.attributes["action"] for node in reader.find("#kept-cards form[method=get]")]
        number = [form_node.mem_id for form_node in reader.find("#kept-cards form")].index(buttons[0].mem_id)
        form = reader.form("#kept-cards form", number=number)
        form.fill({name: value for name, value in answers.items() if name in form.names()}).press()
        names = reader.form("#desk-form").names()
        self.roll(reader, {name: value for name, value in answers.items() if name in names})

    def melee(self, place: str) -> None:
        """Close Combat in a hex, as the app proposes it: both declare, both roll."""
        for side in self.players:
            reader = self.sit(side, f"melee/?place={place}")
            if reader.has("#desk-form button[value=declare]"):
                reader.form("#desk-form").press("does=declare")
        self.settle()


def prepare_dawn(play: Play) -> None:
    """Purchases, a plot under seal, and a set-up with hidden machine guns."""
    play.buy("german", "I1", "A2")
    play.buy("russian", "I1", "I2", "A1")
    play.german.seal()
    play.done(play.russian.press("plot", "sealed/", first="K8", second="L8", turn="2"))
    play.russian.seal()
    play.done(play.german.press("reveal"))
    russian = ((1, 7), (2, 7), (3, 11), (4, 11), (5, 14), (6, 12), (7, 11), (0, 7))
    play.set_up("russian", russian, hidden=4)
    play.set_up("german", ((1, 6), (2, 6), (3, 6), (4, 6), (5, 6), (7, 6)))


def fight_at_dawn(play: Play) -> None:
    """The German takes the houses of sector 7: fire, a plotted mission, Close Combat."""
    play.go("german", (1, 2, 3, 13, 14), "K7", 6)
    play.go("german", (4, 5, 6), "L8", 6)
    play.go("german", (7, 8, 9, 10), "L7", 6)
    play.go("german", (15, 16), "M7", 6)
    play.go("russian", (1, 2, 3), "K10", 7)
    play.go("russian", (4, 5, 6, 14), "L10", 7)
    play.go_to("fire_and_movement")
    play.fire("german", (1, 2, 3, 13, 14), (1, 2, 3))
    play.fire("russian", (4, 5, 6), (4, 5, 6))
    play.fire("german", (15, 16), (4, 5, 6, 14))
    play.end_turn()
    play.go_to("fire_and_movement")
    play.call("russian", "russian-8", "contact")
    play.settle(aim="K8")
    play.go_to("fire_and_movement")
    play.end_turn()
    play.go("german", (7, 8, 9, 10), "K9", 7)
    play.go_to("fire_and_movement")
    play.fire("russian", (1,), (7, 8, 9, 10))
    play.fire("german", (15, 16), (5, 6, 14))
    play.end_turn()
    play.go("german", (7, 8, 9), "K10", 7)
    play.go_to("melee")
    play.melee("K10")
    play.end_turn()
    play.go_to("fire_and_movement")
    play.fire("german", (1, 2, 3, 13), (5, 6, 14))
    play.end_turn()
    play.go_to("fire_and_movement")
    play.end_turn()


def reorganize(play: Play) -> None:
    """After the first firefight: redeployment, the close combat for sector 7, upkeep."""
    for side in play.players:
        play.done(play.players[side].press("confirm-report", "reorganization/"))
    for player in play.players.values():
        play.done(player.press("fight-round", "reorganization/"))
    play.done(play.german.press("redeploy", "reorganization/"))
    play.done(play.russian.press("redeploy", "reorganization/", dice="app", to_6=11, to_14=11))
    for extent in ("sector", "phase"):
        for player in play.players.values():
            play.done(player.press("hurry", "reorganization/", how_far=extent))


def prepare_morning(play: Play) -> None:
    """Reinforcements, purchases and set-up of the second firefight, a day later."""
    play.clock.at = EVENINGS[1]
    for player in play.players.values():
        play.done(player.press("reinforce", dice="app"))
    play.buy("german", "I2")
    play.buy("russian", "V4", "I6")
    play.done(play.german.seal("attack"))
    play.done(play.russian.seal("hold"))
    play.done(play.german.press("reveal"))
    play.set_up("russian", ((9, 11), (10, 19)))
    play.set_up("german", ((9, 6),))


def fight_in_the_morning(play: Play) -> None:
    """The attack on sector 11, up to the middle of turn 3."""
    play.go("german", (1, 2, 3, 13, 14), "K10", 7)
    play.go("german", (7, 8, 10), "L10", 7)
    play.go("german", (15, 16), "M9", 7)
    play.go("german", (17, 18, 19, 20), "L9", 7)
    play.go("russian", (7, 8, 9), "K13", 11)
    play.go("russian", (6, 14, 18, 19, 20), "L13", 11)
    play.go("russian", (21, 22, 23), "M14", 11)
    play.go("russian", (10, 11), "N12", 11)
    play.go("russian", (12, 13), "M16", 14)
    play.go("russian", (15, 16, 17), "J14", 12)
    play.go_to("fire_and_movement")
    play.fire("russian", (21, 22, 23), (7, 8, 10))
    play.call("german", "german-8", "contact")
    play.settle(aim="K13")
    play.fire("german", (1, 2, 3, 13, 14), (7, 8, 9))
    play.end_turn()
    play.go_to("fire_and_movement")
    play.fire("russian", (10,), (17, 18, 19, 20))
    play.fire("german", (15, 16), (6, 14, 18, 19, 20), die=81)
    play.correct("german", "fire", die=18)
    play.call("german", "german-8", "contact", aim="K13")
    play.settle()
    play.end_turn()
    play.go_to("fire_and_movement")
    play.call("german", "german-8", "contact", aim="")
    play.settle()
    play.fire("german", (1, 2, 3, 13, 14), (6, 14, 18, 19, 20))
    play.go("german", (21, 22, 23), "M12", 11)
    play.open_fire("russian", (21, 22, 23), (21, 22, 23))


def play_all() -> Play:
    """Play all of it in this process's database, which holds nothing of the demo."""
    from campaign.ledger import content

    content.shipped_row()
    clock = Clock()
    with repeatable(clock):
        play = Play(clock)
        for part in (prepare_dawn, fight_at_dawn, reorganize, prepare_morning, fight_in_the_morning):
            part(play)
    return play


def keep(play: Play) -> dict[str, Any]:
    """What is kept, as campaign/acts/demo.py reads it: a match's file, with the seed, and states by chapter."""
    from firefight.table.files import saving

    saved = saving.dump_match(play.match, SIDES)
    del saved["charts"], saved["ledger"]["content"]
    saved["match"]["seed"] = play.match.seed
    saved["written"] = play.clock.at.isoformat()
    states = {str(snapshot.number): snapshot.state for snapshot in play.match.snapshots.order_by("number")}
    return {"states": states, "file": saved}


def write(demo: Mapping[str, Any]) -> str:
    """The demo as text, each line of the log and each chapter on its own line, so that versions can be compared."""
    states = ",\n".join(f"{json.dumps(number)}: {_plain(state)}" for number, state in demo["states"].items())
    lines = ",\n".join(map(_plain, demo["file"]["log"]))
    parts = ",\n".join(f"{json.dumps(name)}: {_plain(part)}" for name, part in demo["file"].items() if name != "log")
    return f'{{"states": {{\n{states}\n}},\n"file": {{\n{parts},\n"log": [\n{lines}\n]}}}}\n'


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def tell(play: Play) -> None:
    """Print the log."""
    for line in play.german.log:
        dice = ", ".join(f"{die.label} {die.face} (no. {die.number})" for die in line.rolls)
        print(line.number, f"{line.at:%H:%M}", line.kind, line.side or "-", line.sentence, line.secret, dice, sep=" | ")


def main() -> None:
    """Write the file, from a database in a temporary folder."""
    parser = argparse.ArgumentParser(description="Play the demo through the pages of the app, and keep it.")
    parser.add_argument("--tell", action="store_true", help="print the log")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"VOLGA_DATA": folder, "ALLOWED_HOSTS": "testserver"}
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        import django

        django.setup()
        from django.core.management import call_command

        from campaign.acts.demo import FILE

        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        play = play_all()
        if options.tell:
            tell(play)
        FILE.write_text(write(keep(play)), encoding="utf-8")


if __name__ == "__main__":
    main()
