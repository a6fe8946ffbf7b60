"""The hands of the random players of campaigns: a wish becomes a form of a page, filled in and sent.

What the page does not offer cannot be done: NotOffered. What was really sent is noted on the wish, since a page knows
more than the player, such as that a new group goes whole.
"""

import re
import uuid
from copy import copy
from dataclasses import replace
from types import SimpleNamespace

from campaign.models import Campaign
from firefight.models import Act, LogEntry, Match
from tests.campaign import players
from tests.filling import NotOffered, Reader

SIDES = players.SIDES
MOST_ANSWERS = 12  # that ask for more dice
PHASE = "reorganization/"
ACT_ID = re.compile(rb'(name="act" value=")[\w-]+')


class Refusal(Exception):
    """A page has answered with reasons instead of an act."""


def _in_another_window(response):
    """The same page asked for once more, without asking: its forms have act ids of their own."""
    again = copy(response)
    again.content = ACT_ID.sub(lambda match: match[1] + str(uuid.uuid4()).encode(), response.content)
    return again


class Hands:
    """Both players' browsers, or one browser in two hands. ``kept``: pages as they were sent, to be used when old."""

    def __init__(self, card, hot_seat, seed=""):
        maker, links = players.begin(card, hot_seat=hot_seat, name=f"Play {seed}")
        self.match_id, self.hot_seat, self.maker = maker.match_id, hot_seat, maker
        if hot_seat:
            self.clients = dict.fromkeys(SIDES, maker.client)
        else:
            russian = players.sit(links["russian"], maker.match_id)
            self.clients = {"german": maker.client, "russian": russian.client}
        self.kept = {}
        self.sent = None  # the last request: client, address, fields

    @property
    def match(self):
        """The match as it is stored now."""
        return Match.objects.get(pk=self.match_id)

    def open(self, wish, is_old=False):
        """The page on which a wish is done; ``is_old``: one that was left open, if there is one."""
        if self.hot_seat:
            self.maker.turn_to(wish.side)
        address = self._address(wish)
        old_page = self.kept.pop((wish.side, address), None)
        reader = Reader(self.clients[wish.side], script=False)
        if old_page and is_old:
            return reader.show(old_page)
        reader.open(address)
        assert reader.status == 200, reader.words()
        self.kept[wish.side, address] = _in_another_window(reader.response)
        return reader

    def _address(self, wish):
        campaign, fields = f"/campaign/{self.match_id}/", wish.asked
        if wish.kind in ("note", "advance"):
            return f"/match/{self.match_id}/"
        if wish.kind == "buy":
            return f"{campaign}roster/{wish.side}/?group={fields['rg']}"
        if wish.kind == "refund":
            return f"{campaign}roster/{wish.side}/"
        if wish.kind in ("place", "take_off", "name_building"):
            return f"{campaign}map/?for={wish.party}"
        if wish.kind in ("report", "end_nest"):
            is_over = Campaign.objects.filter(pk=self.match_id, stage="reorganization").exists()
            return campaign + (PHASE if is_over else "firefight/")
        return campaign + _PAGES.get(wish.kind, "")

    def fill_in(self, wish, reader):
        """The form of a wish, filled in, and the button that is to be pressed. Raises NotOffered."""
        form = self._find_form(wish, reader)
        fill, button = _fill(wish, form)
        return form.fill(fill), button

    def send(self, wish, reader, form, button):
        """Send a form. Returns the wish as it was sent, and the act. Raises NotOffered, Refusal."""
        before = Act.objects.filter(match=self.match_id).count()
        version = form.value("version")
        for _ in range(MOST_ANSWERS):
            wish = replace(wish, asked={**wish.asked, **_read_sent(wish, form.sent())})
            self._press(reader, form, button)
            if Act.objects.filter(match=self.match_id).count() > before:
                return wish, self._done()
            form = self._go_on(wish, reader) or self._ask_for_dice(wish, reader)
            if form is None:
                break
        why = reader.words("#trouble") or reader.words(".trouble")
        raise Refusal(f"{wish.kind} at {reader.address}, version {version}, answered {reader.status}: {why}")

    def _press(self, reader, form, button):
        buttons = [node for node in form.reader.controls_of(form.node) if node.tag == "button"]
        pressed = next((node for node in buttons if _sends(node) == button), None) if button else None
        if button and pressed is None:
            raise NotOffered(f"No button {button} at {reader.address}.")
        node = pressed or next(iter(buttons), None)
        attributes = node.attributes if node is not None else {}
        target = attributes.get("formaction") or form.node.attributes.get("action") or reader.address
        self.sent = reader.client, target.partition("#")[0], reader.pairs_of(form.node, node)
        if node is None:
            form.press()
        else:
            reader.press_node(node)

    def send_again(self):
        """Send the last form once more, as a double click does."""
        client, address, pairs = self.sent
        data = {}
        for name, value in pairs:
            data.setdefault(name, []).append(value)
        return client.post(address, data, follow=True)

    def _done(self):
        act = Act.objects.filter(match=self.match_id).latest("number")
        entries = list(LogEntry.objects.filter(match=self.match_id, act=act).order_by("number"))
        return SimpleNamespace(act=act, entries=entries, match=self.match)

    def _find_form(self, wish, reader):
        if wish.kind == "note":
            return reader.form("#note")
        if wish.kind == "advance":
            return reader.form("form:has(button[formaction$='/advance/'])")
        does = _DOES.get(wish.kind, wish.kind.replace("_", "-"))
        forms = [reader.form(does=does, number=number) for number in range(_count(reader, does))]
        if "number" in wish.asked:
            wished = str(wish.asked["number"])
            forms = [form for form in forms if wished in (form.value("number"), *form.choices("number"))]
        if wish.kind == "fight":  # those that are laid out already: another way to fight is gathered first
            forms = [form for form in forms if form.value("divided")]
        if wish.kind == "hurry":  # to agree is a form of its own, above the one to ask
            forms = [form for form in forms if ("how_far", wish.asked["how_far"]) in form.buttons()]
        if not forms:
            raise NotOffered(f"No form {does} for {wish.asked} at {reader.address}.")
        return forms[0]

    def _go_on(self, wish, reader):
        """The form that came back to leave a Close Combat open, as who has read that goes on; None for another."""
        is_asked = wish.kind == "end_turn" and reader.status == 422 and "Still open" in reader.words(".trouble")
        return self._find_form(wish, reader) if is_asked else None

    def _ask_for_dice(self, wish, reader):
        """The form that came back for more dice, filled in as far as there are any; None if it asks for none."""
        if reader.status != 422 or not wish.dice or wish.dice.source != "table":
            return None
        try:
            form = self._find_form(wish, reader)
        except NotOffered:
            return None
        fresh = {name: face for name, face in wish.dice.faces.items() if name in form.names() and not form.value(name)}
        if not fresh:
            return None
        return form.fill(fresh)


def _count(reader, does):
    forms = [form for form in reader.find("form") if form.css(f'input[name="do"][value="{does}"]')]
    return len(forms)


def _sends(node):
    return f"{node.attributes.get('name') or ''}={node.attributes.get('value') or ''}"


_PAGES = {
    "confirm": "map/",
    **dict.fromkeys(("end_turn", "battery", "aircraft", "air_attack", "down", "move_random_marker"), "firefight/"),
    **dict.fromkeys(("plot", "observer", "withdraw", "open_seal"), "sealed/"),
    **dict.fromkeys(("confirm_report", "redeploy", "fight_round", "fight", "hurry", "recover", "suffer_mines"), PHASE),
}
_DOES = {
    "seal_orders": "seal",
    "reveal_orders": "reveal",
    "name_building": "building",
    "move_random_marker": "random-marker",
    "open_seal": "open",
    "suffer_mines": "mines",
}
# By what they ask, the names of fields.
_CALLED = {"text": "hex", "hex_name": "hex"}


def _fill(wish, form):
    """What is filled in, and which button is pressed: "name=value", "" for the first."""
    fields, names = wish.asked, form.names()
    fill, button = {}, ""
    if wish.dice:
        faces = wish.dice.faces if wish.dice.source == "table" else {}
        fill = {name: face for name, face in faces.items() if name in names}
        dice_button = f"dice={wish.dice.source}"
        button = dice_button if tuple(dice_button.split("=")) in form.buttons() else ""
    match wish.kind:
        case "note":
            return {"text": fields["text"], "sealed": fields["sealed"]}, ""
        case "concede":
            return {"sure": True}, ""
        case "answer":
            return {}, "agrees=yes" if fields["agrees"] else "agrees=no"
        case "seal_orders":
            if "order" not in names:  # the card says it
                return {}, ""
            return {**({"order": fields["order"].value} if fields["order"] else {}), "bonus": fields["bonus"]}, ""
        case "place" | "report" | "take_off":
            return _fill_units(wish, form), ""
        case "suffer_mines":
            return fill | {"unit": fields["numbers"], "factors": fields["factors"], "drm": fields["drm"]}, button
        case "redeploy":
            hexes = {f"hex_{number}": place for number, place in fields.get("hexes", {}).items()}
            return fill | {f"to_{number}": sector for number, sector in fields["goals"].items()} | hexes, button
        case "battery":
            return {}, f"news={fields['news'].value}"
        case "air_attack":
            return {}, f"weapon={fields['weapon'].value}"
        case "fight":  # declared, where the other side has a word in it
            return {}, button or "dice=table"
        case "hurry":
            return {}, f"how_far={fields['how_far']}"
    renamed = {_CALLED.get(name, name): value for name, value in fields.items()}
    return fill | {name: value for name, value in renamed.items() if name in names}, button


def _fill_units(wish, form):
    fields, offered = wish.asked, form.choices("unit")
    fill = {}
    if offered:  # a new group goes whole: nothing to tick
        fill["unit"] = [str(number) for number in fields["numbers"] if wish.kind != "place" or str(number) in offered]
    if wish.kind == "place":
        fill |= {"sector": fields["sector"], "hidden": fields["hidden"]}
        if "building" in form.names():
            fill |= {"building": wish.house, "hexes": "K7 K8"}
    if wish.kind == "report":
        fill |= {"news": fields["news"].value, "sector": fields["sector"], "hex": fields.get("hex_name", "")}
    return fill


def _read_sent(wish, sent):
    """What was really asked for, where the page knows better."""
    fields = {}
    if wish.kind in ("place", "report", "take_off"):
        fields["numbers"] = [int(number) for number in sent.get("unit", [])]
    if wish.kind == "place":
        fields |= {"sector": int(sent["sector"][0]) if sent["sector"][0] else None, "hidden": "hidden" in sent}
    return fields
