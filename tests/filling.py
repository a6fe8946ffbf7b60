"""A person at a page, over HTTP: a Reader opens it, fills in what it offers, presses its buttons, and follows.

What is typed is put into the page that was read, so that what is sent is what its browser would send: hidden fields,
ticks and defaults too. Nobody can fill in what the page does not offer, or what it hides.

    reader = Reader(player.client).open(f"/match/{player.match_id}/roll/fire/")
    reader.form("#desk-form").fill(range=3, die=25).press("Resolve")
    assert "Casualties" in reader.words("#desk")
"""

from urllib.parse import parse_qsl, urljoin, urlsplit

from tests import pages

TYPED = ("text", "search", "number", "password", "email", "tel", "url", "date", "")
TICKED = ("checkbox", "radio")
SHOWN_THOUGH_REFUSED = (403, 409, 422)  # as htmx-config says in templates/_base.html
LONGEST = 20  # answers in a row that fetch more of their own accord
CONTROLS = "input, select, textarea, button"


class NotOffered(AssertionError):
    """What somebody wanted to fill in or to press is not on the page."""


class Reader:
    """Somebody with a page in front of them. ``script``: htmx is at work; without it every answer is a whole page."""

    def __init__(self, client, script=True):
        self.client, self.script = client, script
        self.address, self.response, self.page = "", None, pages.read("")
        self._kept = []  # what came later belongs to other trees, which must live as long as the page

    # To look

    def open(self, address):
        """Go to an address, as its browser would."""
        return self.show(self.client.get(address, follow=True))

    def show(self, response):
        """Put a page in front of them that was sent before, like one that was left open."""
        return self._show_whole(response)

    def find(self, selector):
        """Every element that matches a selector."""
        return self.page.css(selector)

    def words(self, selector="body"):
        """What somebody reads there."""
        return " ".join(pages.words(node) for node in self.find(selector))

    @property
    def status(self):
        """How the last request was answered."""
        return self.response.status_code

    def form(self, selector="form", does="", number=0):
        """A form of the page: by selector, by what it does, by its place among those."""
        matching = [FormOnPage(self, node) for node in self.find(selector) if node.tag == "form"]
        matching = [form for form in matching if not does or form.sent().get("do", [""])[0] == does]
        if len(matching) <= number:
            raise NotOffered(f"No form {selector} {does} at {self.address}.")
        return matching[number]

    def has(self, selector):
        """Whether the page has an element that matches it."""
        return bool(self.find(selector))

    # To press

    def press(self, called, within="body"):
        """Press a button or follow a link, by its words or by what it sends ("dice=app")."""
        for node in self.find(within):
            matching = [candidate for candidate in node.css("button, a[href]") if _is_called(candidate, called)]
            if matching:
                return self.press_node(matching[0])
        raise NotOffered(f"Nothing called {called} at {self.address}.")

    def press_node(self, node):
        """Press this very button or link."""
        if "disabled" in node.attributes:
            raise NotOffered(f"{pages.words(node)} cannot be pressed.")
        if self.script and (verb := _htmx_verb(node)):
            return self._ask_by_htmx(node, verb, node)
        if node.tag == "a":
            return self._go(node, "get", node.attributes["href"], [])
        return self._submit(self._form_of(node), node)

    def look(self):
        """Look for news: what the page polls for by itself, or else the page again."""
        live = self.page.css_first("#live, #watch")
        if not self.script or live is None:
            return self.open(self.address)
        if address := live.attributes.get("hx-get"):
            self._ask_by_htmx(live, ("get", address), None)
        return self

    # What is sent

    def _form_of(self, node):
        form_id = node.attributes.get("form")
        if form_id is not None:
            return next(iter(self.find(f'form[id="{form_id}"]')), None)
        return _closest(node, lambda ancestor: ancestor.tag == "form")

    def controls_of(self, form):
        """The controls that a form's browser looks at, in the order of the page."""
        name = form.attributes.get("id")
        if name and self.find(f'[form="{name}"]'):
            return [control for control in self.find(CONTROLS) if _is_same(self._form_of(control), form)]
        return [control for control in form.css(CONTROLS) if "form" not in control.attributes]

    def pairs_of(self, form, button=None):
        """Name and value of everything that is sent."""
        sent = []
        for control in self.controls_of(form):
            name = control.attributes.get("name")
            if not name or _is_disabled(control) or (control.tag == "button" and not _is_same(control, button)):
                continue
            sent += [(name, value) for value in _values_of(control)]
        return sent

    def _submit(self, form, button):
        if form is None:
            raise NotOffered("The button belongs to no form.")
        mine, asks = (button.attributes if button is not None else {}), form.attributes
        if "novalidate" not in asks and "formnovalidate" not in mine:
            _refuse_blanks(self.controls_of(form))
        if self.script and (verb := _htmx_verb(form)):
            return self._ask_by_htmx(form, verb, button)
        method = mine.get("formmethod") or asks.get("method") or "get"
        return self._go(form, method, mine.get("formaction") or asks.get("action") or "", self.pairs_of(form, button))

    def _go(self, node, method, address, pairs):
        """Without htmx of its own: a whole page, or what a boosted page takes from one."""
        target = urljoin(self.address, address)
        target, fragment = target.partition("#")[::2]
        if not self.script or _inherited(node, "hx-boost") != "true" or node.attributes.get("target"):
            return self._show_whole(self._request(method, target, pairs, {}), fragment)
        response = self._request(method, target, pairs, {"HX-Request": "true", "HX-Boosted": "true"})
        self._take(node, response)
        self.address = response.request["PATH_INFO"] + _query(response)
        return self

    def _ask_by_htmx(self, node, verb, button):
        method, address = verb
        pairs = []
        if method != "get" or node.tag == "form":
            form = self._form_of(node) if node.tag != "form" else node
            pairs = self.pairs_of(form, button if node.tag == "form" else None) if form is not None else []
        if button is not None and node.tag != "form" and button.attributes.get("name"):
            name = button.attributes["name"]
            pairs = [pair for pair in pairs if pair[0] != name] + [(name, button.attributes.get("value") or "")]
        pairs += self._included_by(node, {name for name, _ in pairs})
        response = self._request(method, urljoin(self.address, address), pairs, {"HX-Request": "true"})
        self._take(node, response)
        return self

    def _included_by(self, node, names_sent):
        """What hx-include adds: controls of elements that it names."""
        selector = _inherited(node, "hx-include")
        if not selector:
            return []
        if selector.startswith("closest "):
            form = _closest(node, lambda ancestor: ancestor.tag == selector.removeprefix("closest "))
            elements = [form] if form is not None else []
        else:
            elements = self.find(selector)
        pairs = []
        for element in elements:
            pairs += self.pairs_of(element) if element.tag == "form" else _pairs_in(element)
        return [pair for pair in pairs if pair[0] not in names_sent]

    def _request(self, method, address, pairs, headers):
        data = {}
        for name, value in pairs:
            data.setdefault(name, []).append(value)
        if headers:
            headers = {**headers, "HX-Current-URL": urljoin("http://testserver/", self.address)}
        if method.lower() == "post":
            return self.client.post(address, data, headers=headers, follow=True)
        path, query = urlsplit(address), {}
        if not data:
            return self.client.get(address, headers=headers, follow=True)
        # A form's own fields take the place of its address's; htmx adds them.
        for name, value in parse_qsl(path.query, keep_blank_values=True) if headers else ():
            query.setdefault(name, []).append(value)
        return self.client.get(path.path, {**query, **data}, headers=headers, follow=True)

    # What comes back

    def _show_whole(self, response, fragment=""):
        self.response = response
        self.address = response.request["PATH_INFO"] + _query(response)
        if "html" in response.get("Content-Type", ""):
            self.page = pages.read(response.content.decode())
            self._kept = [self.page]
        self._load([])
        return self

    def _take(self, node, response):
        """What htmx makes of an answer: parts swapped, some of them out of band."""
        self.response, status = response, response.status_code
        if address := response.get("HX-Redirect"):
            return self.open(urljoin(self.address, address))
        if response.get("HX-Refresh") == "true":
            return self.open(self.address)
        if moved := response.get("HX-Replace-Url") or response.get("HX-Push-Url"):
            self.address = urljoin(self.address, moved)
        elif _inherited(node, "hx-push-url") == "true" and status < 400:
            self.address = response.request["PATH_INFO"] + _query(response)
        if status == 204 or (status >= 400 and status not in SHOWN_THOUGH_REFUSED):
            return self
        answer = pages.read(response.content.decode())
        self._kept.append(answer)
        fresh = self._swap_aside(answer)
        style = response.get("HX-Reswap") or _inherited(node, "hx-swap") or "innerHTML"
        selector = response.get("HX-Retarget") or _inherited(node, "hx-target") or "this"
        selected = response.get("HX-Reselect") or _inherited(node, "hx-select")
        parts = answer.css(selected) if selected and selected != "unset" else _children(answer.body)
        if not style.startswith("none") and (target := self._target(node, selector)) is not None:
            fresh += _swap(target, style.split()[0], parts)
        self._bring_up_to_date()
        self._load(fresh)
        return self

    def _target(self, node, selector):
        if selector == "this":
            return _closest(node, lambda ancestor: "hx-target" in ancestor.attributes) or node
        if selector.startswith("closest "):
            return _closest(node, lambda ancestor: ancestor.css_matches(selector.removeprefix("closest ")))
        if selector.startswith("find "):
            return node.css_first(selector.removeprefix("find "))
        return self.page.css_first(selector)

    def _swap_aside(self, answer):
        """Parts that name their own place, out of band."""
        fresh = []
        for part in answer.css("[hx-swap-oob]"):
            how, _, selector = (part.attributes["hx-swap-oob"] or "true").partition(":")
            target = self.page.css_first(selector or f'[id="{part.attributes.get("id")}"]')
            is_kept = part.attributes.get("id") == "desk" and self._is_desk_in_use()  # by volga.js
            if target is not None and not is_kept:
                is_whole = how in ("true", "outerHTML")
                fresh += _swap(target, "outerHTML" if is_whole else how, [part] if is_whole else _children(part))
            part.decompose()  # what was placed is a copy
        return fresh

    def _is_desk_in_use(self):
        return self.has("#desk-form[data-sent]") or self.has("#desk [data-filled-in]")

    def _bring_up_to_date(self):
        """Bring the forms on show up to the version that was last heard of, as volga.js does."""
        live = self.page.css_first("#live")
        if live is None:
            return
        for name in ("version", "after"):
            for hidden_field in self.page.css(f'input[name="{name}"]'):
                hidden_field.attrs["value"] = live.attributes.get(f"data-{name}") or ""

    def _load(self, fresh):
        """Fetch what came parts fetch of their own accord at once."""
        for node in fresh:
            for element in [node, *node.css("[hx-trigger]")]:
                if element.attributes.get("hx-trigger") == "load" and self.script and len(self._kept) < LONGEST:
                    response, address = self.response, self.address
                    self._ask_by_htmx(element, ("get", element.attributes["hx-get"]), None)
                    self.response, self.address = response, address


class FormOnPage:
    """A form as it stands on a reader's page."""

    def __init__(self, reader, node):
        self.reader, self.node = reader, node

    def sent(self):
        """What would be sent now, without a button: {name: values}."""
        values_by_name = {}
        for name, value in self.reader.pairs_of(self.node):
            values_by_name.setdefault(name, []).append(value)
        return values_by_name

    def value(self, name):
        """What a field says now; "" if it sends nothing."""
        return self.sent().get(name, [""])[-1]

    def controls(self, name=""):
        """What a person can fill in, or those of one name."""
        fillable = [control for control in self.reader.controls_of(self.node) if _is_fillable(control)]
        return [control for control in fillable if not name or control.attributes.get("name") == name]

    def names(self):
        """The names that a person can fill in, in the order of the page."""
        return list(dict.fromkeys(control.attributes.get("name") or "" for control in self.controls()))

    def choices(self, name):
        """What a select, ticks or radio buttons offer."""
        offered = []
        for control in self.controls(name):
            offered += [_value_of_option(option) for option in control.css("option")] if control.tag == "select" else []
            offered += [_ticked_value(control)] if control.attributes.get("type") in TICKED else []
        return offered

    def buttons(self):
        """Name and value of the buttons that can be pressed, in the order of the page."""
        pressable = [control for control in self.reader.controls_of(self.node) if control.tag == "button"]
        pressable = [
            button for button in pressable if not _is_disabled(button) and button.attributes.get("type") != "button"
        ]
        return [(button.attributes.get("name") or "", button.attributes.get("value") or "") for button in pressable]

    def fill(self, fields=None, /, **more):
        """Type, choose, tick. What depends on the inputs, such as odds, comes again at once."""
        listening, controls = [], self.controls()
        for name, value in {**(fields or {}), **more}.items():
            matching = [control for control in controls if control.attributes.get("name") == name]
            if not matching:
                raise NotOffered(f"Nobody can fill in {name} at {self.reader.address}: {', '.join(self.names())}.")
            _fill_in(name, matching, value)
            listening += [_closest(matching[0], _listens)]
        if self.reader.script:
            for listener in {node.mem_id: node for node in listening if node is not None}.values():
                self.reader._ask_by_htmx(listener, _htmx_verb(listener), None)
        return self

    def press(self, called=""):
        """Press one of its buttons, by words or by what it sends; without words what Enter presses."""
        buttons = [control for control in self.reader.controls_of(self.node) if control.tag == "button"]
        if called:
            visible = [button for button in buttons if "aria-hidden" not in button.attributes]
            buttons = [button for button in visible if _is_called(button, called)]
            if not buttons:
                raise NotOffered(f"No button {called} at {self.reader.address}.")
        elif not buttons:
            return self.reader._submit(self.node, None)
        return self.reader.press_node(buttons[0])


# What a page's elements say


def _is_same(first, second):
    return first is not None and second is not None and first.mem_id == second.mem_id


def _closest(node, fits):
    while node is not None and node.tag not in ("-undef", "html", "#document", None):
        if fits(node):
            return node
        node = node.parent
    return None


def _inherited(node, name):
    holder = _closest(node, lambda ancestor: name in ancestor.attributes)
    return holder.attributes[name] if holder is not None else None


def _htmx_verb(node):
    verbs = [(verb, node.attributes[f"hx-{verb}"]) for verb in ("get", "post") if f"hx-{verb}" in node.attributes]
    return verbs[0] if verbs else None


def _listens(node):
    return _htmx_verb(node) is not None and "change" in (node.attributes.get("hx-trigger") or "")


def _children(node):
    children, child = [], node.first_child if node is not None else None
    while child is not None:
        children.append(child)
        child = child.next
    return [child_node for child_node in children if child_node.is_element_node]


def _is_called(node, called):
    text, label = pages.words(node), node.attributes.get("aria-label") or ""
    sends = f"{node.attributes.get('name') or ''}={node.attributes.get('value') or ''}"
    return called in (text, text.partition(" :")[0], label, sends)  # what follows the colon is not visible


def _is_disabled(node):
    return (
        "disabled" in node.attributes
        or _closest(node.parent, lambda ancestor: ancestor.tag == "fieldset" and "disabled" in ancestor.attributes)
        is not None
    )


def _is_fillable(node):
    is_locked = _is_disabled(node) or "readonly" in node.attributes
    return node.tag in ("input", "select", "textarea") and node.attributes.get("type") != "hidden" and not is_locked


def _value_of_option(option):
    value = option.attributes.get("value")
    return " ".join(option.text().split()) if value is None else value


def _ticked_value(node):
    """What a tick or radio button sends once it is set: "on" where it says nothing, not where it says ""."""
    return node.attributes["value"] or "" if "value" in node.attributes else "on"


def _values_of(node):
    """What a control sends; nothing if it is a tick that is not set."""
    if node.tag == "select":
        options = [option for option in node.css("option") if "disabled" not in option.attributes]
        chosen = [option for option in options if "selected" in option.attributes]
        if "multiple" not in node.attributes:
            chosen = chosen[-1:] or options[:1]
        return [_value_of_option(option) for option in chosen]
    if node.tag == "textarea":
        return [node.text()]
    if node.tag == "button":
        return [node.attributes.get("value") or ""]
    kind = node.attributes.get("type") or ""
    if kind in TICKED:
        return [_ticked_value(node)] if "checked" in node.attributes else []
    return [] if kind in ("submit", "button", "reset", "image", "file") else [node.attributes.get("value") or ""]


def _pairs_in(node):
    controls = [node] if node.tag in ("input", "select", "textarea") else node.css("input, select, textarea")
    with_names = [control for control in controls if control.attributes.get("name") and not _is_disabled(control)]
    return [(control.attributes["name"], value) for control in with_names for value in _values_of(control)]


def _refuse_blanks(controls):
    for control in controls:
        if "required" in control.attributes and not _is_disabled(control) and not any(_values_of(control)):
            raise NotOffered(f"{control.attributes.get('name')} must be filled in first.")


# What a person does to them


def _fill_in(name, controls, value):
    ticks = [control for control in controls if control.attributes.get("type") in TICKED]
    if ticks:
        _tick(name, ticks, value)
    else:
        values = value if isinstance(value, (list, tuple)) else [value]
        for control, text in zip(controls, values, strict=False):
            _type(name, control, "" if text is None else str(text))


def _tick(name, ticks, value):
    offered = {_ticked_value(tick): tick for tick in ticks}
    listed = value if isinstance(value, (list, tuple)) else [value]
    ticked = [] if value in (None, False) else ["on" if choice is True else str(choice) for choice in listed]
    if value is True and len(offered) == 1:
        ticked = list(offered)
    if missing := set(ticked) - set(offered):
        raise NotOffered(f"{name} does not offer {', '.join(missing)}.")
    for choice, tick in offered.items():
        _mark(tick, "checked", choice in ticked)


def _type(name, node, text):
    if node.tag == "select":
        options = [option for option in node.css("option") if "disabled" not in option.attributes]
        if text not in [_value_of_option(option) for option in options]:
            raise NotOffered(f"{name} does not offer {text}.")
        for option in options:
            _mark(option, "selected", _value_of_option(option) == text)
        node.attrs["data-filled-in"] = ""
        return
    longest = node.attributes.get("maxlength")
    if longest and len(text) > int(longest):
        raise NotOffered(f"{name} takes {longest} characters.")
    if node.tag == "textarea":
        for child in list(node.iter(include_text=True)):
            child.remove()
        node.insert_child(text)
    else:
        node.attrs["value"] = text
    node.attrs["data-filled-in"] = ""


def _mark(node, name, is_set):
    if is_set != (name in node.attributes):
        if is_set:
            node.attrs[name] = ""
        else:
            del node.attrs[name]
        node.attrs["data-filled-in"] = ""


def _swap(target, style, parts):
    """Put parts in place of a target, or into it; returns them as they are there."""
    if style == "innerHTML":
        for child in _children(target):
            child.remove()
    first = next(iter(_children(target)), None) if style == "afterbegin" else None
    place = target if style == "outerHTML" else first
    placed = [_put_before(place, part) if place is not None else _put_into(target, part) for part in parts]
    if style == "outerHTML":
        target.remove()
    return placed


def _put_before(place, part):
    place.insert_before(part)
    return place.prev


def _put_into(target, part):
    target.insert_child(part)
    return target.last_child


def _query(response):
    query = response.request.get("QUERY_STRING", "")
    return f"?{query}" if query else ""
