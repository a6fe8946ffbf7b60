"""A player in a browser, whatever its engine: goes to a page, taps, types, and waits for what it shows.

Firefox is driven over WebDriver BiDi, which needs no driver beside it; WebKit by its driver and Selenium; Chromium by
Playwright, as in the other tests.
"""

import json
import os
import subprocess
import tempfile
import time
import warnings
from abc import ABC, abstractmethod
from contextlib import suppress

import websocket
from playwright.sync_api import Error, sync_playwright
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from tests.chromium import FLAGS

LONG = 120  # seconds until a wait gives up: nothing here may depend on how fast the machine is
SIZE = (360, 740)


class Player(ABC):
    """One browser of a thumb's width, with cookies of its own."""

    def __init__(self, address):
        self.address = address

    def wait(self, condition, description=""):
        """Return what a condition of JavaScript comes to, once that is true."""
        deadline = time.monotonic() + LONG
        while time.monotonic() < deadline:
            with suppress(GoneAway):
                if outcome := self.evaluate(condition):
                    return outcome
            time.sleep(0.05)
        raise AssertionError(
            f"{description or condition} has not come: {self.evaluate('document.body.innerText')[:2000]}"
        )

    def see(self, words):
        """Wait until the page shows these words."""
        return self.wait(f"document.body.innerText.includes({json.dumps(words)})", words)

    def tap(self, css):
        """Tap the first element of a selector that is on show, once there is one."""
        deadline = time.monotonic() + LONG
        while time.monotonic() < deadline:
            self.wait(f"{_VISIBLE}({json.dumps(css)})", css)
            with suppress(GoneAway):  # it was taken away meanwhile: whatever has come in its place is pressed
                self.press(css)
                return
        raise AssertionError(f"{css} cannot be pressed.")

    def type(self, css, text):
        """Put the cursor into a box and type."""
        self.tap(css)
        self.strike(text)

    def choose(self, css, label):
        """Choose from a list by the first letters of what it offers."""
        self.wait(f"{_VISIBLE}({json.dumps(css)})", css)
        self.evaluate(f"{_FIRST}({json.dumps(css)}).focus()")
        self.strike(label)

    @abstractmethod
    def go(self, path):
        """Open an address, which may be relative to the server's."""

    @abstractmethod
    def evaluate(self, expression):
        """A plain value of the page. Raises GoneAway while the page is changing."""

    @abstractmethod
    def press(self, css):
        """Press the first element of a selector that is on show."""

    @abstractmethod
    def strike(self, text):
        """Type where the cursor stands."""

    @abstractmethod
    def close(self):
        """End the browser."""


class GoneAway(Exception):
    """The page went away while it was asked something."""


_FIRST = "((css) => [...document.querySelectorAll(css)].find((each) => each.checkVisibility()))"
_VISIBLE = f"((css) => Boolean({_FIRST}(css)))"


class Firefox(Player):
    """Firefox without a window."""

    def __init__(self, address, path):
        super().__init__(address)
        self.folder = tempfile.TemporaryDirectory()
        command = [path, "--headless", "--no-remote", "--profile", self.folder.name, "--remote-debugging-port=0"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        place = next(line.split()[-1] for line in self.process.stderr if "listening on ws://" in line)
        # Whoever does not read on blocks it.
        self.reader = subprocess.Popen(["cat"], stdin=self.process.stderr, stdout=subprocess.DEVNULL)
        self.socket = websocket.create_connection(f"{place}/session", timeout=LONG, suppress_origin=True)
        self.number, self.complaints = 0, []
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.context = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        width, height = SIZE
        self.ask("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def ask(self, method, **params):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.complaints.append(answer["params"]["text"])
            if answer.get("id") == self.number:
                break
        if answer["type"] == "error":
            raise GoneAway(f"{method}: {answer['message']}")
        return answer["result"]

    def go(self, path):
        url = path if "://" in path else self.address + path
        self.ask("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def evaluate(self, expression):
        params = {"expression": f"JSON.stringify({expression})", "target": {"context": self.context}}
        answer = self.ask("script.evaluate", awaitPromise=True, **params)
        if answer["type"] == "exception":
            raise AssertionError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"].get("value", "null"))

    def press(self, css):
        at = {"type": "element", "element": {"sharedId": self.find(css)}}
        actions = [{"type": "pointerMove", "x": 0, "y": 0, "origin": at}]
        actions += [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        thumb = {"type": "pointer", "id": "thumb", "parameters": {"pointerType": "touch"}, "actions": actions}
        self.ask("input.performActions", context=self.context, actions=[thumb])

    def find(self, css):
        """A node's name in the protocol, once it is in view."""
        call = f"(css) => {{ const found = {_FIRST}(css); found.scrollIntoView({{block: 'center'}}); return found; }}"
        value = [{"type": "string", "value": css}]
        params = {"functionDeclaration": call, "arguments": value, "target": {"context": self.context}}
        return self.ask("script.callFunction", awaitPromise=False, **params)["result"]["sharedId"]

    def strike(self, text):
        keys = [{"type": how, "value": key} for key in text for how in ("keyDown", "keyUp")]
        board = {"type": "key", "id": "board", "actions": keys}
        self.ask("input.performActions", context=self.context, actions=[board])

    def close(self):
        with suppress(GoneAway, websocket.WebSocketException, OSError):
            self.ask("browser.close")
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        self.reader.wait()
        self.process.stderr.close()
        self.folder.cleanup()


class Chromium(Player):
    """Chromium without a window, with a screen to touch."""

    def __init__(self, address, path):
        super().__init__(address)
        # Its interface keeps an event loop in this thread, and Django then refuses its ORM here.
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(executable_path=path, args=FLAGS)
        width, height = SIZE
        self.page = self.browser.new_page(viewport={"width": width, "height": height}, has_touch=True)
        self.complaints = []
        self.page.on("console", self.note_error)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def note_error(self, message):
        if message.type == "error":
            self.complaints.append(message.text)

    def go(self, path):
        self.page.goto(path if "://" in path else self.address + path)

    def evaluate(self, expression):
        try:
            return json.loads(self.page.evaluate(f"JSON.stringify({expression})") or "null")
        except Error as error:
            raise GoneAway(str(error)) from None

    def find(self, css):
        return self.page.evaluate_handle(f"{_FIRST}({json.dumps(css)})").as_element()

    def press(self, css):
        try:
            self.find(css).tap(timeout=1000)
        except (Error, AttributeError) as error:  # gone, or no longer to be found
            raise GoneAway(str(error)) from None

    def strike(self, text):
        self.page.keyboard.type(text)

    def close(self):
        self.browser.close()
        self.playwright.stop()


class WebKit(Player):
    """WebKitGTK's small browser on a screen in memory."""

    def __init__(self, address, paths):
        super().__init__(address)
        driver, browser, screen = paths
        reading, writing = os.pipe()
        self.screen = subprocess.Popen(
            [screen, "-displayfd", str(writing), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
            pass_fds=[writing],
            stderr=subprocess.DEVNULL,
        )
        os.close(writing)
        with os.fdopen(reading) as pipe:
            display = pipe.readline().strip()
        options = Options()
        options.binary_location = browser
        options.add_argument("--automation")
        sandbox_off = {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "WEBKIT_DISABLE_COMPOSITING_MODE": "1"}
        environment = {**os.environ, "DISPLAY": f":{display}", "NO_AT_BRIDGE": "1", **sandbox_off}
        with warnings.catch_warnings():  # Selenium's driver of WebKit calls what Selenium means to give up
            warnings.simplefilter("ignore", DeprecationWarning)
            self.driver = webdriver.WebKitGTK(options, service=Service(executable_path=driver, env=environment))
        self.driver.set_window_size(*SIZE)
        self.complaints = []

    def go(self, path):
        self.driver.get(path if "://" in path else self.address + path)

    def evaluate(self, expression):
        try:
            return json.loads(self.driver.execute_script(f"return JSON.stringify({expression})") or "null")
        except WebDriverException as error:
            raise GoneAway(str(error)) from None

    def find(self, css):
        return self.driver.execute_script(
            f"const found = {_FIRST}(arguments[0]); found.scrollIntoView({{block: 'center'}}); return found;", css
        )

    def press(self, css):
        try:
            self.find(css).click()
        except WebDriverException as error:
            raise GoneAway(str(error)) from None

    def strike(self, text):
        self.driver.switch_to.active_element.send_keys(text)

    def close(self):
        self.driver.quit()
        self.screen.terminate()
        self.screen.wait()


# What players do at a table


def at_place(name):
    """The selector of a place's name on the table, which takes all that stand there."""
    return f'#table .place[data-place="{name}"] legend'


def throw(player, *faces):
    """Type the dice of the desk, and resolve."""
    player.wait(f"document.querySelectorAll('#desk input.die').length >= {len(faces)}")
    player.type("#desk input.die", "".join(faces))
    player.tap("#desk .dice button.main, #desk form.due button.main")
