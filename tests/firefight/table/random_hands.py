"""Two players at one table of any game, who do at random whatever the pages let a player do; and what must hold then.

Each kind of act is a method that opens the page, fills in the form that stands there and presses a button, with a
script or without; it returns what was answered, or None where there is nothing to do it with. What is posted without a
form has none on the page of the match, or is tried as a program does. A game's own acts stand in a class of its own.
"""

import json
import random
import re
from functools import partial

from firefight.table.rolling import replay
from tests import pages
from tests.filling import NotOffered, Reader
from tests.firefight.players import text_of
from tests.reading import read_if_changed, trial

SHOWN = ("table/", "counters.json", "record.json", "pack/")
WORD = re.compile(r"\w+")  # whole ones: a token of a page may hold any letters


class RandomHands:
    """A match with a browser for each side, and somebody who plays both. ``rng`` decides everything."""

    SIDES: tuple[str, ...] = ()
    WEIGHTS: dict[str, float] = {}
    # What a browser may ask of a table.
    READ: tuple[str, ...] = (
        *("", "log/", "log.json", "record/", "record.json", "report.md", "archive.json", "counters/", "counters.json"),
        *("hand/", "table/", "pack/"),
    )

    def __init__(self, seed, table=None):
        self.rng, self.planted = random.Random(seed), {side: set() for side in self.SIDES}
        self.players = table or self.sit_down()
        self.last = ""
        # Asked for many times between two acts.
        self._counters = {side: read_if_changed(partial(known, self.players[side])) for side in self.SIDES}
        self.log = read_if_changed(lambda: self.players[self.SIDES[0]].log)

    def sit_down(self):
        """Begin a match; a player for each side."""
        raise NotImplementedError

    def other(self, side):
        """The enemy."""
        return self.SIDES[side == self.SIDES[0]]

    @property
    def match(self):
        """The match as it is stored."""
        return self.players[self.SIDES[0]].match

    def rows(self):
        """What is stored of the table, but for what only counts on: versions, lines, dice used up."""
        return self.match.state.to_json()

    def pages(self, player):
        """Whatever a browser may ask of the table."""
        return [player.get(place) for place in self.READ]

    def set_place(self, player, ids, place):
        """Set counters to a place by hand."""
        return self.by_hand(player, ids, "Move there", place=place)

    def by_hand(self, player, ids, button, **fields):
        """Fill in what the sheet of some counters asks, and press a button; None where it does not offer that."""
        reader = self.select(player, ids)
        reader.press("By hand", within="#selection")
        for number in range(len(reader.find(".by-hand form"))):
            form = reader.form(".by-hand form", number=number)
            try:
                return form.fill(fields).press(button).response
            except NotOffered:
                continue
        return None

    def act(self):
        """Do one thing; returns the side that did it and the answer, None where there was nothing to do."""
        for _ in range(20):
            side, answer = self.try_something()
            if answer is not None:
                break
        return side, answer

    def try_something(self):
        """One kind of act, if it can be done now."""
        weights = dict(self.WEIGHTS)
        queue = self.match.state.queue
        if queue:
            weights["resolve"] *= 1 + len(queue)
        self.last = self.rng.choices(list(weights), list(weights.values()))[0]
        side = self.rng.choice(self.SIDES)
        return side, getattr(self, self.last)(side, self.players[side])

    # Whom it is about

    def known(self, side, sees=None):
        """The counters of a side, as somebody knows them."""
        return [counter for counter in self._counters[sees or side]() if counter["side"] == side]

    def some(self, side, most=3, sees=None, **fits):
        """Some counters of a side that are in play and at one place, as somebody knows them."""
        units = [unit for unit in self.known(side, sees) if not unit["fate"]]
        units = [unit for unit in units if all(unit[name] == value for name, value in fits.items())]
        if not units:
            return []
        place = self.rng.choice(units)["place"]
        ids = [unit["id"] for unit in units if unit["place"] == place]
        return self.rng.sample(ids, min(len(ids), self.rng.randint(1, most)))

    def plant(self, side):
        """A word that nobody but this side may ever be sent."""
        word = f"SEALED{side[:1].upper()}{self.rng.randint(100_000, 999_999)}"
        self.planted[side].add(word)
        return word

    def forget_shown(self):
        """What a side has shown by now is everybody's."""
        words = set(WORD.findall(" ".join(self.list_shown())))
        notes = {plain.get("note") for plain in self.match.state.counters.values()}
        self.planted = {side: self.planted[side] - (words - notes) for side in self.SIDES}

    def list_shown(self):
        """Texts of what is everybody's: where a counter came into sight, what was revealed."""
        log = self.log()
        yield from (line.sentence + json.dumps(line.inputs) for line in log if is_shown(line))
        yield from self.in_sight()
        yield from (line.secret for line in log if line.revealed_by)

    def in_sight(self):
        """What is stored of the counters that nobody hides."""
        return [json.dumps(plain) for plain in self.match.state.counters.values() if not plain.get("hidden")]

    # At the page

    def sit(self, player, at=""):
        """Somebody in front of the match's page, or of another one of it."""
        script = self.rng.random() < 0.6
        return Reader(player.client, script).open(f"/match/{player.match_id}/{at}")

    def select(self, player, ids):
        """A page on which these counters are selected, as far as they stand there."""
        reader = self.sit(player)
        if ids:
            reader.form("#table").fill(chosen=list(ids))
        return reader

    def open_roll(self, player, slug, ids):
        """The form of a roll, asked for by counters and bar."""
        reader = self.select(player, ids)
        reader.press_node(reader.find(f"#rolls [data-roll={slug}]")[0])
        return reader

    def press_any(self, player, selector, at=""):
        """Press one of some buttons; None where there is none."""
        reader = self.sit(player, at)
        buttons = [node for node in reader.find(selector) if not is_barred(node)]
        return reader.press_node(self.rng.choice(buttons)).response if buttons else None

    def finish(self, reader, **wishes):
        """Fill in what a form asks, and roll, here or at the table; returns the last answer."""
        for _ in range(3):
            if not reader.has("form#desk-form"):
                return reader.response
            form = reader.form("#desk-form")
            act = form.value("act")
            self.complete(form, **wishes)
            form = reader.form("#desk-form")
            buttons = form.buttons()
            offers = [button for button in buttons if button[0] == "offer"]
            if offers and self.rng.random() < 0.7:
                form.press("=".join(self.rng.choice(offers)))
            elif ("dice", "app") in buttons and self.rng.random() < 0.4:
                form.press("dice=app")
            else:
                self.type_dice(form)
                form.press()
            is_anew = "Look again" in reader.words("#desk .trouble")
            if not reader.has("form#desk-form") or (reader.form("#desk-form").value("act") != act and not is_anew):
                break
        return reader.response

    def complete(self, form, **wishes):
        """Fill in what a form of this game wants to be told before it can be rolled."""

    def type_dice(self, form):
        """Type what lies on the table into every box."""
        boxes = [box for box in form.controls() if "die" in (box.attributes.get("class") or "").split()]
        form.fill({box.attributes["name"]: self.throw(form, box) for box in boxes})

    def throw(self, form, box):
        """What lies on the table for one box."""
        return self.rng.randint(1, int(box.attributes["data-sides"]))

    def set_record(self, player, at, path, **fields):
        """Set one value on a page of the record; None where it cannot be set there."""
        reader = self.sit(player, at)
        for number in range(len(reader.find("dl.record form.inline"))):
            form = reader.form("dl.record form.inline", number=number)
            if form.value("field") == path:
                return form.fill(fields).press("Set").response
        return None

    # Acts

    def resolve(self, side, player):
        """What is due: the card or the form on the desk, or one of the list."""
        reader = self.sit(player)
        links = reader.find("#due a[href*='step=']")
        if links and self.rng.random() < 0.5:
            reader.press_node(self.rng.choice(links))
        elif not reader.has("form#desk-form"):
            return None
        return self.finish(reader)

    def note(self, side, player):
        ids = self.some(side, 2)
        return self.by_hand(player, ids, "Set the note", note=self.plant(side)) if ids else None

    def hide(self, side, player):
        """Hidden where they stand, as often as not in the middle of all; nobody knows where they go from there."""
        ids = self.some(side, 2, hidden=False)
        return self.by_hand(player, ids, "becomes=hidden") if ids else None

    def note_unseen(self, side, player):
        ids = self.some(side, 2, hidden=True)
        return self.by_hand(player, ids, "Set the note", note=self.plant(side)) if ids else None

    def undo(self, side, player):
        return self.press_any(player, "button[form=undo-change]")

    def correct(self, side, player):
        rolls = [
            line for line in self.log()[-30:] if line.kind == "roll" and line.side == side and line.voided_by is None
        ]
        rolls = [line for line in rolls if [die.source for die in line.rolls] == ["table"]]
        if not rolls:
            return None
        entry = self.rng.choice(rolls)
        if player.get(f"roll/{entry.helper}/", corrects=entry.number).status_code != 200:
            return None
        reader = self.sit(player, f"roll/{entry.helper}/?corrects={entry.number}")
        form = reader.form("#desk-form")
        self.complete(form, shows=True)
        form = reader.form("#desk-form")
        self.type_dice(form)
        return form.press().response

    def drop(self, side, player):
        return self.press_any(player, "button[formaction$='/drop/']")

    def advance(self, side, player):
        reader = self.sit(player)
        buttons = [button for button in reader.find("#status button[formaction$='/advance/']") if not is_barred(button)]
        if not buttons:
            return None
        reader.press_node(self.rng.choice(buttons))
        if reader.has("#going-on") and self.rng.random() < 0.5:
            reader.form("#going-on").press()
        return reader.response

    def seal_note(self, side, player):
        return player.note(self.plant(side), sealed="on")

    def reveal(self, side, player):
        sealed = [line for line in self.log() if line.kind == "sealed" and line.side == side and not line.revealed_by]
        return player.do("reveal/", number=self.rng.choice(sealed).number) if sealed else None

    def choose_option(self, side, player):
        return self.press_any(player, "form.choice button")

    def settle(self, side, player):
        return self.press_any(player, "form.proposed button")

    def take_back(self, side, player):
        return self.press_any(player, "#do-take-back")

    def answer(self, side, player):
        return self.press_any(player, "#now form button[name=agrees]")

    def put_right(self, side, player):
        lost_ids = [counter["id"] for counter in self.known(side) if counter["fate"]]
        return self.by_hand(player, [self.rng.choice(lost_ids)], "Back into play") if lost_ids else None


def is_barred(button):
    """Whether a button cannot be pressed now."""
    return "disabled" in button.attributes


def known(player, side=""):
    """The counters that a browser knows of, as counters.json tells them."""
    return [counter for counter in json.loads(player.get("counters.json").content) if side in ("", counter["side"])]


def is_shown(line):
    """Whether a line says that a counter has come into sight."""
    fields = line.inputs.get("counters", {}).values() if line.kind == "counter" else ()
    return any(change.get("hidden") == [True, False] for change in fields)


# What must hold


def look(play, places):
    """What rows and some pages say of the table, but for what only counts on: versions, lines, dice used up."""
    pages_of = {(side, place): play.players[side].get(place) for side in play.SIDES for place in places}
    return play.rows(), {key: readable(response) for key, response in pages_of.items()}


def readable(response):
    return pages.words(pages.read(text_of(response))) if "html" in response["Content-Type"] else response.json()


def side_of(play, response):
    """Who was answered."""
    return next(side for side in play.SIDES if play.players[side].client is response.client)


def check_secrets(play, response):
    """No answer to a side holds a word that the other side has planted under seal."""
    sent = set(WORD.findall(text_of(response)))
    leaked = sent & play.planted[play.other(side_of(play, response))]
    assert not leaked, (leaked, play.last, response.request["PATH_INFO"])


def check_all_secrets(play):
    for side in play.SIDES:
        for response in play.pages(play.players[side]):
            check_secrets(play, response)


def check_taken_back(play, side, before, places):
    """What was just done can be taken back, and all stands as before; then it has not been taken back."""
    with trial():
        player = play.players[side]
        answer = player.do("take-back/")
        if player.match.proposal:
            answer = play.players[play.other(side)].do("answer/", agrees="yes")
        assert answer.status_code == 302, (play.last, text_of(answer)[:3000])
        assert look(play, places) == before, play.last


def check_results(play):
    """Each side's log stands every check: all results are worked out again, with what they noted in the record."""
    for side in play.SIDES:
        problems = replay.examine_log(play.players[side].get("log.json").json())["problems"]
        assert problems == [], problems


def act_and_check(play, places):
    """Let one thing be done; True if it was, and undoes none. No answer tells a secret, a refusal changes nothing.

    ``places``: pages that are held against what they said before, besides the rows.
    """
    before, match = look(play, places), play.match
    _, answer = play.act()
    if answer is None:
        return False
    assert answer.status_code < 500, play.last
    play.forget_shown()
    check_secrets(play, answer)
    now = play.match
    if now.version == match.version:
        assert look(play, places) == before, play.last
        return False
    if play.last in ("take_back", "answer"):
        return False
    if not match.proposal and not now.proposal:
        check_taken_back(play, side_of(play, answer), before, places)
    return True
