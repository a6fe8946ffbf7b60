"""What is measured, each against its budget. What is compared takes turns, so that a busy machine slows both."""

import gzip
import http.client
import json
import os
import socket
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from importlib import import_module
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlencode

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign.acts import beginning, reorganizing
from campaign.ledger.content import shipped
from campaign.models import Campaign, Unit
from campaign.rules.phase import ReorganizationPhase
from campaign.rules.steps import Step
from campaign.sheets import SHEETS
from campaign.sheets.printing import Printing
from firefight.columns import DueRoll
from firefight.drawing.paper import Format
from firefight.engine.errors import RuleError
from firefight.games import chartbooks, registry
from firefight.hosting.listening import server_command
from firefight.kit.helper import _counted
from firefight.models import LogEntry, Match, Seat
from firefight.table.act.table import Table
from firefight.table.log.reading import PAGE
from firefight.web.tokens import hash_token

HERE = Path(__file__).resolve().parent
WARM_UP, PAIRS, PAGE_PAIRS, ODDS_RUNS, SHEET_RUNS = 5, 150, 40, 25, 9
LOAD_BUDGET = 0.6  # of the bare view's requests a second
QUERY_BUDGET = 15
PAGE_BYTES = 60_000
# Milliseconds; for rolls and pages the process's own, which a busy machine stretches less.
ROLL_BUDGET, ODDS_BUDGET, MATCH_PAGE_BUDGET, LEDGER_PAGE_BUDGET = 8, 10, 15, 20
PHASE_BUDGET, SHEET_BUDGET = 0.4, 0.5  # seconds: of 400 units, of a sheet
SHEET_KB = 300

GAME = "combat-stalingrad"
SIDES = ("german", "russian")


# Tables of figures


Rows = Iterator[tuple[object, ...]]  # each with its name, its figures, and last whether it keeps to its budget
MEASURES: list[tuple[str, tuple[str, ...], Callable[[], Rows]]] = []


def table(title: str, *head: str) -> Callable[[Callable[[], Rows]], Callable[[], Rows]]:
    """Declare what yields the rows of a table; ``head``: what stands over its figures."""

    def declare(measure: Callable[[], Rows]) -> Callable[[], Rows]:
        MEASURES.append((title, head, measure))
        return measure

    return declare


def measure_all() -> list[bool]:
    """Measure everything, and print it; returns whether each budget holds."""
    verdicts = []
    for title, head, measure in MEASURES:
        print(f"\n{title}")
        say("", *head)
        for *figures, good in measure():
            say(*figures, "ok" if good else "BROKEN")
            verdicts.append(bool(good))
    return verdicts


def say(name: object, *figures: object) -> None:
    """One row of a table."""
    print(f"{name!s:<24}" + "".join(f"{figure!s:>10}" for figure in figures), flush=True)


def in_turns(runs: int, *jobs: Callable[[], float]) -> list[list[float]]:
    """Each job's milliseconds, after a short warming up."""
    for _ in range(WARM_UP):
        for job in jobs:
            job()
    times = [[job() * 1000 for job in jobs] for _ in range(runs)]
    return [list(column) for column in zip(*times, strict=True)]


def compare(ours: list[float], theirs: list[float]) -> tuple[float, str]:
    """The median of the ratios pair by pair, which a busy moment cannot shift, and their middle half."""
    low, middle, high = quantiles((a / b for a, b in zip(ours, theirs, strict=True)), n=4)
    return middle, f"{low:.2f}-{high:.2f}"


def count_queries(job: Callable[[], object]) -> int:
    """How many queries a job takes."""
    with CaptureQueriesContext(connection) as queries:
        job()
    return len(queries)


# A browser


class Browser(Client):
    """Sends requests as a browser does, and measures this process's time until the answer arrives."""

    def __init__(self) -> None:
        headers = {"Host": "127.0.0.1:8000", "Accept-Encoding": "gzip, deflate, br, zstd"}
        super().__init__(enforce_csrf_checks=True, headers=headers)
        self.seconds = 0.0

    def request(self, **environ):
        """The answer to a request."""
        begun = time.process_time()
        response = super().request(**environ)
        self.seconds = time.process_time() - begun
        return response

    def read(self, address: str) -> str:
        """A page."""
        return text_of(self.get(address))

    def send(self, address: str, form: dict, htmx: bool = False):
        """The answer to a form."""
        body = urlencode({"csrfmiddlewaretoken": self.cookies["csrftoken"].value, **form}, doseq=True)
        headers = {"HX-Request": "true", "HX-Target": "desk"} if htmx else {}
        return self.post(address, body, content_type="application/x-www-form-urlencoded", headers=headers)

    def take(self, address: str, status: int = 200) -> float:
        """The seconds that a page takes."""
        response = self.get(address)
        assert response.status_code == status, f"{address}: {response.status_code}"
        return self.seconds

    def begin_match(self, **more: str) -> str:
        """Sit down to a new match and return its id."""
        self.get("/match/new/")
        return self.send("/match/new/", {"game": GAME, "side": "german", **more}).headers["Location"].split("/")[2]

    def add_counters(self, match_id: str, **form: str) -> None:
        """Put counters into play."""
        self.send(f"/match/{match_id}/counters/add/", {**known_form(match_id), **form})

    def move(self, match_id: str, side: str, numbers: range, place: str) -> None:
        """Put counters of a side into a hex."""
        ids = [f"{side}-{number}" for number in numbers]
        self.send(f"/match/{match_id}/counters/", {**known_form(match_id), "id": ids, "place": place})


def text_of(response) -> str:
    """An answer as it was before it was compressed."""
    is_packed = response.headers.get("Content-Encoding") == "gzip"
    return (gzip.decompress(response.content) if is_packed else response.content).decode()


def known_form(match_id: str) -> dict:
    """What a form holds on a page that shows the match as it stands."""
    version, number = Match.objects.values_list("version", "last_number").get(pk=match_id)
    return {"act": uuid.uuid4(), "version": version, "after": number, "carry": "{}", "dice": "table"}


# Rolls


KINDS = ("squad", "half_squad", "leader", "sw_team", "crew", "squad")


def write_units(number: int, **more: str) -> str:
    """That many different units, as a page sends them: the worst case for odds unit by unit."""
    rows = [{"kind": KINDS[n % len(KINDS)], "name": f"Unit {n + 1}", "tq": 3 + n % 6, **more} for n in range(number)]
    return json.dumps(rows)


@dataclass(frozen=True)
class Roll:
    """A roll to be posted. ``due``: the rolls that are due then, starting with this one; ``lines``: of the log."""

    helper: str
    form: dict
    due: tuple[dict, ...] = ()
    lines: int = 1
    has_counters: bool = False

    @property
    def page(self) -> str:
        """Where in a match it is posted to."""
        return "due/" if self.helper == "due" else f"roll/{self.helper}/"


def check_of(number: int, **more: str) -> dict:
    """A morale check that is due."""
    inputs = {"name": str(number), "tq": 6, "modifier": 2, **more}
    return {"id": f"1-{number}", "helper": "morale", "title": f"Morale Check: {number}", "inputs": inputs}


FIGHTERS = json.dumps([{"ccv": 10, "name": "1st squad"}, {"ccv": 8, "name": "2nd squad"}])
MISSION = {"caliber": 105, "kind": "battery", "units": write_units(3, hex="K7"), "aim": "K7"}
CONTACT = {"device": "radio", "supply": "high", "danger_close": "on", "marker": "new_cff", **MISSION, "die": 30}
FIRE = {"ff": 12, "modifiers": ["woods", "smoke"], "units": write_units(3), "die": 40}
MORALE = {"name": "1", "unit": "squad", "tq": 6, "modifier": 2, "die": 7}
MELEE = {"attack": FIGHTERS, "defense": FIGHTERS, "leader": "on", "die": 12}
CHECKS = tuple(check_of(n) for n in (1, 2, 3))
COUNTER_CHECKS = tuple(check_of(n, name=f"Rifle squad #{n}", unit="squad", id=f"russian-{n}") for n in (1, 2, 3))
CARD = {"step": [check["id"] for check in COUNTER_CHECKS]} | {f"due-{c['id']}-die": 9 for c in COUNTER_CHECKS}
FIRERS, STACK = ([f"{side}-{number}" for number in (1, 2, 3)] for side in SIDES)
ROLLS = {
    "contact": Roll("contact", CONTACT),
    "fire, three units": Roll("fire", FIRE),
    "morale, two more due": Roll("morale", MORALE, CHECKS),
    "morale alone": Roll("morale", MORALE),
    "close-combat": Roll("close-combat", MELEE),
    "fire at one, who falls": Roll(
        "fire", {"firers": FIRERS, "targets": STACK[:1], "die": 1}, lines=2, has_counters=True
    ),
    "fire at a stack": Roll("fire", {"firers": FIRERS, "targets": STACK, "die": 60}, has_counters=True),
    "a card of three checks": Roll("due", CARD, COUNTER_CHECKS, lines=6, has_counters=True),
}


@table(f"Roll, htmx fragment, logged; medians of {PAIRS} turns", "ms", "budget", "bare", "ratio", "spread")
def measure_rolls() -> Rows:
    """A roll, logged in a match, against the bare view (bench/bare.py); without counters, and with them."""
    return (measure_roll(name, roll) for name, roll in ROLLS.items())


def measure_roll(name: str, roll: Roll) -> tuple[object, ...]:
    """One kind of roll, ours and the bare one in turns, each in a match of its own."""
    browser = Browser()
    ours, theirs = browser.begin_match(hot_seat="on"), browser.begin_match(hot_seat="on")
    for match_id in (ours, theirs) if roll.has_counters else ():
        browser.add_counters(match_id, list="German: 3 Panzergrenadier squads\nRussian: 4 Rifle squads")
        for side, place in zip(SIDES, ("K7", "K9"), strict=True):
            browser.move(match_id, side, range(1, 4), place)
    queue = tuple(map(DueRoll.from_json, roll.due))
    fresh = replace(Match.objects.get(pk=ours).state, queue=queue)
    lengths = dict(Match.objects.filter(pk__in=(ours, theirs)).values_list("pk", "last_number"))
    step = {"step": queue[0].id, "chained": "1"} if queue and "step" not in roll.form else {}

    def send(address: str, match_id: str):
        # Before each of them the same rolls are due and the log has the same lines: none joins an earlier episode.
        length = lengths[match_id]
        LogEntry.objects.filter(match=match_id, number__gt=length).delete()
        Match.objects.filter(pk=match_id).update(state=fresh, last_number=length)
        return browser.send(address, {**known_form(match_id), **roll.form, **step}, htmx=True)

    def take(address: str, match_id: str) -> float:
        assert send(address, match_id).status_code == 200, address
        written = LogEntry.objects.filter(match=match_id, number__gt=lengths[match_id]).count()
        assert written == roll.lines, f"{name}: {written} lines for a roll"
        return browser.seconds

    address, bare = f"/match/{ours}/{roll.page}", f"/bare/{theirs}/"
    answer = send(f"{bare}prepare/{roll.helper}/", theirs)
    lengths[theirs] = Match.objects.get(pk=theirs).last_number  # the bare view writes what it finds there again
    assert text_of(send(bare, theirs)) == text_of(answer), f"{name}: the bare view answers something else"
    real, plain = in_turns(PAIRS, lambda: take(address, ours), lambda: take(bare, theirs))
    ratio, spread = compare(real, plain)
    figures = (f"{median(real):.2f}", ROLL_BUDGET, f"{median(plain):.2f}", f"{ratio:.2f}", spread)
    return name, *figures, median(real) <= ROLL_BUDGET


# Many matches at once


MATCHES, POLLS, ROUNDS, LINKS = 200, 4, 2, 4


@table(
    f"{MATCHES} matches on a server of two workers: {POLLS} polls and a roll each; best of {ROUNDS} rounds",
    *("a second", "bare", "ratio", "budget"),
)
def measure_load() -> Rows:
    """Many matches at once, polling and rolling, on a server of two workers, against the bare view there."""
    browser = Browser()
    matches = [browser.begin_match() for _ in range(MATCHES)]
    bare = browser.begin_match()
    browser.send(f"/bare/{bare}/prepare/fire/", {**known_form(bare), **FIRE}, htmx=True)
    forms = {match_id: {**known_form(match_id), **FIRE} for match_id in [*matches, bare]}
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (HERE, HERE.parent)))}
    with subprocess.Popen(server_command("127.0.0.1", port), cwd=HERE.parent, env=environment) as server:
        try:
            links = [Link(port, browser, matches[place::LINKS]) for place in range(LINKS)]
            links[0].wait()
            rounds = [
                (at_once(lambda link: link.play(forms), links), at_once(lambda link: link.write(bare, forms), links))
                for _ in range(ROUNDS)
            ]
        finally:
            server.terminate()
    ours, theirs = map(min, zip(*rounds, strict=True))
    requests, ratio = MATCHES * (POLLS + 1), theirs / ours
    yield (
        "requests",
        f"{requests / ours:.0f}",
        f"{requests / theirs:.0f}",
        f"{ratio:.2f}",
        LOAD_BUDGET,
        ratio >= LOAD_BUDGET,
    )


def at_once(job: Callable[["Link"], None], links: list["Link"]) -> float:
    """The seconds until all of them have done a job, side by side."""
    begin = time.perf_counter()
    with ThreadPoolExecutor(len(links)) as pool:
        list(pool.map(job, links))
    return time.perf_counter() - begin


class Link:
    """A persistent connection for some of the matches, with the cookies of a browser that has a seat in all."""

    def __init__(self, port: int, browser: Browser, matches: list[str]):
        self.link, self.matches = http.client.HTTPConnection("127.0.0.1", port, timeout=60), matches
        self.token = browser.cookies["csrftoken"].value
        cookie = browser.cookies.output(attrs=[], header="", sep=";").strip()
        self.headers = {"Cookie": cookie, "HX-Request": "true", "Content-Type": "application/x-www-form-urlencoded"}

    def ask(self, method: str, address: str, form: dict | None = None, status: int = 200) -> None:
        """Send a request and check its status."""
        body = urlencode({"csrfmiddlewaretoken": self.token, **form}, doseq=True) if form else None
        self.link.request(method, address, body, self.headers)
        answer = self.link.getresponse()
        answer.read()
        assert answer.status == status, f"{address}: {answer.status}"

    def wait(self) -> None:
        """Wait until the server answers."""
        for _ in range(300):
            with suppress(OSError):
                self.ask("GET", "/assist/")
                return
            self.link.close()
            time.sleep(0.1)
        raise SystemExit("The server does not start.")

    def play(self, forms: dict[str, dict]) -> None:
        """Poll and roll in each of its matches, as a page there does."""
        for match_id in self.matches:
            form = forms[match_id]
            query = f"version={form['version']}&after={form['after']}"
            for _ in range(POLLS):
                self.ask("GET", f"/match/{match_id}/live/?{query}", status=204)
            self.ask("POST", f"/match/{match_id}/roll/fire/", {**form, "act": uuid.uuid4()})
            forms[match_id] = {**form, "version": form["version"] + 1, "after": form["after"] + 1}

    def write(self, match_id: str, forms: dict[str, dict]) -> None:
        """Ask the bare view equally often."""
        for _ in range(len(self.matches) * (POLLS + 1)):
            self.ask("POST", f"/bare/{match_id}/", forms[match_id])


# Odds


# Helpers of the first game that are not listed here roll with what a fresh form holds.
ODDS = {
    "action-check": {"tq": 6},
    "contact": {**MISSION, "supply": "high", "danger_close": True},
    "accuracy": {**MISSION, "marker": "cff", "correction": 3, "bracketed": True},
    "bracket": {"aim": "K7", "first": "K5", "second": "K9"},
    "conversion": {**MISSION, "marker": "cff"},
    "firepower": {"caliber": 105, "impact": "K7", "units": write_units(12, hex="K7")},
    "fire": {"ff": 24, "units": write_units(12), "modifiers": ["woods", "smoke"]},
    "who-is-hit": {"result": "2e", "check": 2, "units": write_units(12)},
    "morale": {"tq": 6, "modifier": 2},
    "close-combat": {"attack": FIGHTERS, "defense": FIGHTERS, "leader": True},
    "air-attack": {"hex": "K7", "weapon": "both", "units": write_units(12, hex="K7")},
    "anti-aircraft": {"ff": 24},
    "attack-or-hold": {"german": "attack", "russian": "attack", "german_bonus": True},
}


@table(f"Exact odds, counted afresh each time; medians of {ODDS_RUNS}", "ms", "slowest", "budget")
def measure_odds() -> Rows:
    """Every helper's exact odds: at their longest for the first game, with good inputs for the others."""
    helpers = [(helper, helper.form.from_plain, ODDS) for helper in registry.helpers(GAME).values()]
    for game in registry.games().keys() - {GAME}:
        samples = import_module(f"tests.games.samples.{game.replace('-', '_')}").SAMPLES
        helpers += [(helper, helper.form, samples) for helper in registry.helpers(game).values() if helper.dice]
    return (measure_helper(*arguments) for arguments in helpers)


def measure_helper(helper, make_form: Callable, inputs_of: dict[str, dict]) -> tuple[object, ...]:
    """The odds of one helper."""
    book = chartbooks.shipped(helper.game)
    form = make_form(inputs_of.get(helper.slug, {}), book=book)
    assert form.is_valid(), f"{helper.slug}: {form.errors.as_json()}"
    inputs, times = form.inputs(), []
    for _ in range(ODDS_RUNS):
        _counted.cache_clear()
        begin = time.perf_counter()
        with suppress(RuleError):  # some have nothing to count before they are filled in
            helper.all_odds(book, inputs)
        times.append((time.perf_counter() - begin) * 1000)
    return helper.slug, f"{median(times):.2f}", f"{max(times):.2f}", ODDS_BUDGET, median(times) <= ODDS_BUDGET


# Pages of a match


LOG_LENGTHS = (10, 50, 5_000)


@table(
    f"Match page; medians of {PAGE_PAIRS} turns. A page shows the newest {PAGE} entries",
    *("ms", "budget", "ratio", "spread", "queries", "budget"),
)
def measure_pages() -> Rows:
    """The match page while its log grows, and the poll for news."""
    browser = Browser()
    matches = {length: begin_with_log(browser, length) for length in LOG_LENGTHS}
    jobs = {f"page, {length} entries": (f"/match/{match_id}/", 200) for length, match_id in matches.items()}
    longest = matches[LOG_LENGTHS[-1]]
    form = known_form(longest)
    address = f"/match/{longest}/live/?version={form['version']}&after={form['after']}"
    jobs["live poll, nothing new"] = (address, 204)
    times_by_page = in_turns(PAGE_PAIRS, *(lambda job=job: browser.take(*job) for job in jobs.values()))
    query_counts = [count_queries(lambda job=job: browser.take(*job)) for job in jobs.values()]
    budgets = [QUERY_BUDGET] * len(LOG_LENGTHS) + [1]
    grows = len(set(query_counts[:-1])) > 1
    for name, times, queries, most in zip(jobs, times_by_page, query_counts, budgets, strict=True):
        good = queries <= most and not grows and median(times) <= MATCH_PAGE_BUDGET
        ratio, spread = compare(times, times_by_page[0])
        yield name, f"{median(times):.2f}", MATCH_PAGE_BUDGET, f"{ratio:.2f}", spread, queries, most, good


def begin_with_log(browser: Browser, length: int) -> str:
    """A match whose log has that length: one roll, again and again. Returns its id."""
    match_id = browser.begin_match(hot_seat="on")
    browser.send(f"/match/{match_id}/roll/fire/", {**known_form(match_id), **FIRE}, htmx=True)
    rolled = LogEntry.objects.filter(match=match_id).first()
    same = ("kind", "side", "sentence", "helper", "inputs", "result", "rolls")
    fill_log(match_id, length, **{name: getattr(rolled, name) for name in same})
    return match_id


def fill_log(match_id: str, length: int, **line: object) -> None:
    """Write one line into a match's log until it has that length."""
    last = Match.objects.values_list("last_number", flat=True).get(pk=match_id)
    numbers = range(last + 1, length + 1)
    LogEntry.objects.bulk_create(LogEntry(match_id=match_id, number=number, **line) for number in numbers)
    Match.objects.filter(pk=match_id).update(last_number=length)


WEEKS, A_DAY, LAST_DAY = "streets-of-stalingrad", 180, 60  # a campaign; lines a day; the day that is compared
COUNTER_ATTACK = {"af": 9, "df": 10, "die": 4}
WEEKS_RUNS, WEEKS_RATIO = 15, 1.5
WHOLE_BUDGET = 5.0  # seconds of the lane, which may work 20 on one request
WHOLE = ("archive.json?sides=all", "log.json", "report.md", "report/all/", "honours/", "dice/")


@table(f"A campaign of {LAST_DAY} days, played through", "day 1 ms", f"day {LAST_DAY}", "ratio", "budget", "spread")
def measure_weeks() -> Rows:
    """The same acts and pages on the first and the last day, in turns; then what reads the whole match, in seconds."""
    browser = Browser()
    first, last = (browser.begin_match(game=WEEKS, hot_seat="on") for _ in range(2))
    play_days(browser, first, 1)
    play_days(browser, last, LAST_DAY)
    jobs = {
        name: [lambda match_id=match_id, job=job: job(browser, match_id) for match_id in (first, last)]
        for name, job in ACTS.items()
    }
    for name, pair in jobs.items():
        on_first, on_last = in_turns(WEEKS_RUNS, *pair)
        ratio, spread = compare(on_last, on_first)
        yield (
            name,
            f"{median(on_first):.1f}",
            f"{median(on_last):.1f}",
            f"{ratio:.2f}",
            WEEKS_RATIO,
            spread,
            ratio <= WEEKS_RATIO,
        )
    for page in WHOLE:
        pair = [browser.take(f"/match/{match_id}/{page}") for match_id in (first, last)]
        yield (
            page.partition("?")[0],
            *(f"{seconds * 1000:.0f}" for seconds in pair),
            "",
            f"{WHOLE_BUDGET:.0f} s",
            "",
            pair[1] <= WHOLE_BUDGET,
        )
    answer = browser.get(f"/match/{last}/archive.json?sides=all")
    exported = gzip.decompress(answer.content) if "Content-Encoding" in answer.headers else answer.content
    for name, job in {
        "open its file": lambda: open_file(browser, exported),
        "branch off": lambda: branch(browser, last),
    }.items():
        seconds = job()
        yield name, "", f"{seconds * 1000:.0f}", "", f"{WHOLE_BUDGET:.0f} s", "", seconds <= WHOLE_BUDGET
    lines = Match.objects.get(pk=last).last_number
    yield "lines; its file, KB", lines, f"{len(exported) / 1000:.0f}", "", "", "", lines > LAST_DAY * A_DAY * 0.9


def play_days(browser: Browser, match_id: str, days: int) -> None:
    """Play every phase of that many days, with a dozen counter-attacks in each."""
    while (match := Match.objects.get(pk=match_id)).last_number < days * A_DAY or match.state.turn < days:
        for _ in range(11):
            counter_attack(browser, match_id)
        if match.state.turn <= days:
            if Match.objects.get(pk=match_id).state.queue:
                browser.send(f"/match/{match_id}/drop/", {**known_form(match_id), "step": "all"})
            go_on(browser, match_id)


def go_on(browser: Browser, match_id: str) -> None:
    """Go on to the next phase."""
    browser.send(f"/match/{match_id}/advance/", {**known_form(match_id), "leaves": "on"})


def counter_attack(browser: Browser, match_id: str, **more: object) -> float:
    """The seconds that a roll takes."""
    form = {**known_form(match_id), **COUNTER_ATTACK, **more}
    response = browser.send(f"/match/{match_id}/roll/counter-attack/", form, htmx=True)
    assert response.status_code == 200, text_of(response)
    return browser.seconds


def correct(browser: Browser, match_id: str) -> float:
    """The seconds that the correction of a new roll takes."""
    counter_attack(browser, match_id)
    rolls = LogEntry.objects.filter(match=match_id, kind="roll").order_by("-number")
    return counter_attack(browser, match_id, corrects=rolls.values_list("number", flat=True)[0], die=5)


def take_back(browser: Browser, match_id: str) -> float:
    """The seconds that taking back a new roll takes."""
    counter_attack(browser, match_id)
    response = browser.send(f"/match/{match_id}/take-back/", known_form(match_id), htmx=True)
    assert response.status_code == 200, text_of(response)
    return browser.seconds


def open_file(browser: Browser, sent: bytes) -> float:
    """The seconds that it takes to open a file."""
    form = {"csrfmiddlewaretoken": browser.cookies["csrftoken"].value, "side": "german"}
    response = browser.post("/match/import/", {**form, "file": SimpleUploadedFile("match.json.gz", sent)})
    assert response.status_code == 302, text_of(response)
    return browser.seconds


def branch(browser: Browser, match_id: str) -> float:
    """The seconds that it takes to branch off."""
    response = browser.send(f"/match/{match_id}/branch/", {"hot_seat": "on"})
    assert response.status_code == 302, text_of(response)
    return browser.seconds


ACTS = {
    "page": lambda browser, match_id: browser.take(f"/match/{match_id}/"),
    "roll": counter_attack,
    "correction": correct,
    "take back": take_back,
    "older lines": lambda browser, match_id: browser.take(
        f"/match/{match_id}/log/?before={Match.objects.get(pk=match_id).last_number - 40}"
    ),
    "filtered log": lambda browser, match_id: browser.take(f"/match/{match_id}/log/?q=attack&kind=roll"),
    "report": lambda browser, match_id: browser.take(f"/match/{match_id}/report/"),
    "report of a day": lambda browser, match_id: browser.take(f"/match/{match_id}/report/?from=1&to={A_DAY}"),
}


FULL_TABLE = {
    "german": "40 Grenadier squads, 10 NCOs, 10 Heavy MG 34",
    "russian": "40 Rifle squads, 10 NCOs, 10 Maxim M1910",
}


@table("Match page with 120 counters", "ms", "budget", "KB", "budget", "queries", "budget")
def measure_table() -> Rows:
    """The match page with 120 counters on 24 hexes."""
    browser = Browser()
    match_id = browser.begin_match(hot_seat="on")
    for side, counters in FULL_TABLE.items():
        browser.add_counters(match_id, side=side, list=counters)
        for place in range(12):
            hex_name = f"{'CDEFGH'[place % 6]}{10 + place + 20 * (side == 'german')}"
            browser.move(match_id, side, range(1 + place * 5, 6 + place * 5), hex_name)
    address = f"/match/{match_id}/"
    queries, page = count_queries(lambda: browser.get(address)), browser.read(address)
    assert page.count('name="chosen"') == 120, "120 counters should be on the page"
    (times,) = in_turns(PAGE_PAIRS, lambda: browser.take(address))
    size = len(page.encode())
    good = median(times) <= MATCH_PAGE_BUDGET and size <= PAGE_BYTES and queries <= QUERY_BUDGET
    sizes = (f"{size / 1000:.1f}", PAGE_BYTES // 1000)
    yield "page", f"{median(times):.2f}", MATCH_PAGE_BUDGET, *sizes, queries, QUERY_BUDGET, good


# A campaign


LEDGER_SIZES = (40, 20), (400, 5_000)  # units, log entries
LEDGER_PAGES = ("", "map/", "map/?sector=7", "roster/german/", "roster/russian/?group=I1", "firefight/", "sealed/")
PHASE_UNITS = (100, 400, 1_600)
FORCES = {
    "german": ("grenadier_squad", "grenadier_squad", "pioneer_squad", "heavy_mg_34", "nco", "stug_iii_c"),
    "russian": ("rifle_squad", "rifle_squad", "guards_squad", "maxim_m1910", "nco", "t_34_76_b"),
}
SEED = "5eed" * 16  # the app's dice fall the same in every run


def begin_campaign(units: int, **more: object) -> str:
    """A campaign with that many units, half on each side and spread over all 22 sectors; returns the match's id."""
    match, _ = beginning.begin("cg1", "Bench", hot_seat=True, seed=SEED)
    Unit.objects.filter(campaign=match.pk).delete()
    Unit.objects.bulk_create(
        Unit(campaign_id=match.pk, side=side, number=n, counter=kinds[n % len(kinds)], sector=n % 22 + 1)
        for side, kinds in FORCES.items()
        for n in range(1, units // 2 + 1)
    )
    Campaign.objects.filter(pk=match.pk).update(attacker="german", **more)
    return match.pk


@table(
    f"Pages of a campaign with {LEDGER_SIZES}; medians of {PAGE_PAIRS} turns",
    *("ms", "large ms", "ratio", "queries", "large KB", "budget"),
)
def measure_ledger() -> Rows:
    """The pages of a campaign while units and log grow."""
    browser, campaigns = Browser(), []
    browser.get("/campaign/new/")
    for units, entries in LEDGER_SIZES:
        match_id = begin_campaign(units, stage="firefight")
        fill_log(match_id, entries, kind="ledger", side="german", sentence="A line of the log.")
        sit_down(browser, match_id)
        campaigns.append(match_id)
    return (measure_ledger_page(browser, campaigns, page) for page in LEDGER_PAGES)


def measure_ledger_page(browser: Browser, campaigns: list[str], page: str) -> tuple[object, ...]:
    """One page of a small and of a large campaign."""
    jobs = [lambda at=f"/campaign/{match_id}/{page}": browser.take(at) for match_id in campaigns]
    small, large = in_turns(PAGE_PAIRS, *jobs)
    fewest, most = sorted(map(count_queries, jobs))
    size, ratio = len(browser.read(f"/campaign/{campaigns[-1]}/{page}").encode()), compare(large, small)[0]
    good = fewest == most <= QUERY_BUDGET and size <= PAGE_BYTES and median(large) <= LEDGER_PAGE_BUDGET
    figures = (f"{median(small):.1f}", f"{median(large):.1f}", f"{ratio:.2f}", most, f"{size / 1000:.0f}")
    return page or "overview", *figures, QUERY_BUDGET, good


def sit_down(browser: Browser, match_id: str) -> None:
    """Give the browser the German seat, by a link of its own."""
    token = uuid.uuid4().hex * 2
    Seat.objects.filter(match=match_id, side="german").update(token_hash=hash_token(token))
    browser.get(f"/seat/{token}/")
    browser.get("/claim/")
    browser.send("/claim/", {})


@table(
    "Reorganization Phase of 22 sectors, each with that many units of both sides; best of 3 runs in turn",
    *("s", "ratio", "x units", "budget"),
)
def measure_phase() -> Rows:
    """A whole Reorganization Phase: everybody told, nobody leaves, every sector fought out, all dice by the app."""
    runs = [[reorganize(units) for units in PHASE_UNITS] for _ in range(3)]
    best = list(map(min, zip(*runs, strict=True)))
    for place, (units, seconds) in enumerate(zip(PHASE_UNITS, best, strict=True)):
        before = max(place - 1, 0)
        ratio, growth = seconds / best[before], units / PHASE_UNITS[before]
        good = ratio <= growth * 1.1 and (units > 400 or seconds <= PHASE_BUDGET)
        budget = f"{PHASE_BUDGET} s" if units == 400 else f"x {growth:.0f}"
        yield units, f"{seconds:.2f}", f"{ratio:.2f}", f"{growth:.0f}", budget, good


def reorganize(units: int) -> float:
    """The seconds that the phase of a campaign with that many units takes."""
    match_id = begin_campaign(units, stage="reorganization", phase=ReorganizationPhase(Step.AFTER_ACTION))

    def do(act: Callable, side: str, *values: object) -> None:
        match = Match.objects.get(pk=match_id)
        act(Table(match, side, SIDES, tuple(match.seats.all())), str(uuid.uuid4()), match.version, *values)

    begin = time.perf_counter()
    for side in SIDES:
        do(reorganizing.confirm_report, side)
    do(reorganizing.resolve_rest, "german", "phase")
    return time.perf_counter() - begin


# Paper


@table(f"Sheets as PDF, blank, A4; best of {SHEET_RUNS} runs", "s", "median", "KB", "budget")
def measure_sheets() -> Rows:
    """Both full rosters as PDF, and the other sheets, blank."""
    order = Printing(shipped(), "Bench", Format.A4, datetime(2026, 1, 1))
    for name, sheet in SHEETS.items():
        times = []
        for _ in range(SHEET_RUNS):
            begin = time.perf_counter()
            size = len(sheet.draw(order).bytes()) / 1000
            times.append(time.perf_counter() - begin)
        good = min(times) <= SHEET_BUDGET and size <= SHEET_KB
        yield name, f"{min(times):.2f}", f"{median(times):.2f}", f"{size:.0f}", f"{SHEET_BUDGET} s", good
