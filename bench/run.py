"""Measure the budgets: `make bench`, or `python bench/run.py` where the requirements are installed.

Everything is compared within this one run, in turns (ours, theirs, ours, theirs ...), so that a slow or busy
machine slows both. Exit status 1 means that a budget is broken. The database is a SQLite file of its own,
with the project's options; requests are WSGI calls in this process, which ask for compressed answers as browsers do.
"""

import gzip
import http.client
import io
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from http.cookies import SimpleCookie
from importlib import import_module
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlencode

from firefight.kit.helper import _counted
from firefight.table.log.reading import PAGE

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

POST_BUDGET = 3  # times the bare view
LOAD_BUDGET = 0.6  # of the bare view's requests a second
ODDS_BUDGET = 10  # milliseconds
QUERY_BUDGET = 15
PAGE_BYTES = 60_000
# Milliseconds of this process, which a busy machine stretches less.
MATCH_PAGE_BUDGET, TABLE_BUDGET, LEDGER_PAGE_BUDGET = 8, 15, 20
WARM_UP = 5
PAIRS = 150
PAGE_PAIRS = 40
ODDS_RUNS = 25
LOG_LENGTHS = (10, 50, 5_000)

GAME = "combat-stalingrad"
KINDS = ("squad", "half_squad", "leader", "sw_team", "crew", "squad")


def units(number: int, **more) -> str:
    """So many units that differ, as a page sends them: the worst case for odds unit by unit."""
    rows = [{"kind": KINDS[n % len(KINDS)], "name": f"Unit {n + 1}", "tq": 3 + n % 6, **more} for n in range(number)]
    return json.dumps(rows)


FIGHTERS = json.dumps([{"ccv": 10, "name": "1st squad"}, {"ccv": 8, "name": "2nd squad"}])
MISSION = {"caliber": 105, "kind": "battery", "units": units(3, hex="K7"), "aim": "K7"}

CHECKS = [
    {"id": f"1-{n}", "helper": "morale", "title": f"Morale Check: {n}", "inputs": {"name": n, "tq": 6, "modifier": 2}}
    for n in ("1", "2", "3")
]
MORALE = {"name": "1", "unit": "squad", "tq": 6, "modifier": 2, "die": 7}
# Name: the helper, the rolls that are due when it is posted (the first is this one), and the form.
POSTS = {
    "contact": (
        "contact",
        [],
        {"device": "radio", "supply": "high", "danger_close": "on", "marker": "new_cff", **MISSION, "die": 30},
    ),
    "fire, three units": ("fire", [], {"ff": 12, "modifiers": ["woods", "smoke"], "units": units(3), "die": 40}),
    "morale, two more due": ("morale", CHECKS, MORALE),
    "morale alone": ("morale", [], MORALE),
    "close-combat": ("close-combat", [], {"attack": FIGHTERS, "defense": FIGHTERS, "leader": "on", "die": 12}),
}
# The same with counters in play: what is posted to which address, and how many lines of the log it writes.
COUNTERS = "German: 3 Panzergrenadier squads\nRussian: 4 Rifle squads"
FIRERS, STACK = ([f"{side}-{number}" for number in (1, 2, 3)] for side in ("german", "russian"))
COUNTER_CHECKS = [
    {**check, "inputs": {**check["inputs"], "name": f"Rifle squad #{n}", "unit": "squad", "id": f"russian-{n}"}}
    for n, check in enumerate(CHECKS, 1)
]
CARD = {"step": [check["id"] for check in COUNTER_CHECKS]} | {f"due-{c['id']}-die": 9 for c in COUNTER_CHECKS}
COUNTER_POSTS = {
    "fire at one, who falls": ("fire", [], {"firers": FIRERS, "targets": STACK[:1], "die": 1}, 2),
    "fire at a stack": (
        "fire",
        [],
        {"firers": FIRERS, "targets": STACK, "die": 60},
        1,
    ),
    "a card of three checks": ("due", COUNTER_CHECKS, CARD, 6),
}
# Helpers that are not listed here roll with what a fresh form holds.
ODDS = {
    "action-check": {"tq": 6},
    "contact": {**MISSION, "supply": "high", "danger_close": True},
    "accuracy": {**MISSION, "marker": "cff", "correction": 3, "bracketed": True},
    "bracket": {"aim": "K7", "first": "K5", "second": "K9"},
    "conversion": {**MISSION, "marker": "cff"},
    "firepower": {"caliber": 105, "impact": "K7", "units": units(12, hex="K7")},
    "fire": {"ff": 24, "units": units(12), "modifiers": ["woods", "smoke"]},
    "who-is-hit": {"result": "2e", "check": 2, "units": units(12)},
    "morale": {"tq": 6, "modifier": 2},
    "close-combat": {"attack": FIGHTERS, "defense": FIGHTERS, "leader": True},
    "air-attack": {"hex": "K7", "weapon": "both", "units": units(12, hex="K7")},
    "anti-aircraft": {"ff": 24},
    "attack-or-hold": {"german": "attack", "russian": "attack", "german_bonus": True},
}


class Browser:
    """Sends requests to the app as a server would, keeps cookies, and takes the time."""

    def __init__(self, app: Callable):
        self.app, self.cookies, self.seconds, self.cpu, self.status = app, SimpleCookie(), 0.0, 0.0, 0

    def send(self, method: str, address: str, form: dict | None = None, htmx: bool = False) -> str:
        """The answer's text; kept are its status, the seconds that it took, and those of this process among them."""
        if method == "POST":
            form = {"csrfmiddlewaretoken": self.cookies["csrftoken"].value, **form}
        body = urlencode(form or {}, doseq=True).encode()
        path, _, query = address.partition("?")
        environ = {
            "REQUEST_METHOD": method,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": "application/x-www-form-urlencoded" if method == "POST" else "",
            "CONTENT_LENGTH": str(len(body)),
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "8000",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": "127.0.0.1:8000",
            "HTTP_ACCEPT_ENCODING": "gzip, deflate, br, zstd",  # as every browser: answers go out compressed
            "HTTP_COOKIE": self.cookies.output(attrs=[], header="", sep=";").strip(),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": sys.stderr,
            **({"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "desk"} if htmx else {}),
        }
        started = {}

        def start_response(status, headers, _=None):
            started.update(status=int(status[:3]), headers=headers)

        begin, worked = time.perf_counter(), time.process_time()
        response = self.app(environ, start_response)
        content = b"".join(response)
        response.close()
        self.seconds, self.cpu = time.perf_counter() - begin, time.process_time() - worked
        self.status = started["status"]
        self.headers = dict(started["headers"])
        for name, value in started["headers"]:
            if name.lower() == "set-cookie":
                self.cookies.load(value)
        is_packed = self.headers.get("Content-Encoding") == "gzip"
        return (gzip.decompress(content) if is_packed else content).decode()

    def begin_match(self, **more: str) -> str:
        """Sit down to a new match and return its id."""
        self.send("GET", "/match/new/")
        self.send("POST", "/match/new/", {"game": GAME, "side": "german", **more})
        return self.headers["Location"].split("/")[2]


def say(*cells: object) -> None:
    """One row of a table."""
    first, *others = cells
    print(f"{first!s:<24}" + "".join(f"{cell!s:>10}" for cell in others), flush=True)


def verdict(good: bool) -> str:
    """How a row ends."""
    broken.append(not good)
    return "ok" if good else "BROKEN"


broken: list[bool] = []


def in_turns(runs: int, *jobs: Callable[[], float]) -> list[list[float]]:
    """Each job's milliseconds, after a short warming up."""
    for _ in range(WARM_UP):
        for job in jobs:
            job()
    taken = [[job() * 1000 for job in jobs] for _ in range(runs)]
    return [list(column) for column in zip(*taken, strict=True)]


def compare(ours: list[float], theirs: list[float]) -> tuple[float, str]:
    """The median of the ratios pair by pair, which a busy moment cannot shift, and their middle half."""
    low, middle, high = quantiles((a / b for a, b in zip(ours, theirs, strict=True)), n=4)
    return middle, f"{low:.2f}-{high:.2f}"


def measure_posts(app: Callable) -> None:
    """A helper's POST, logged in a match, against the bare views; without counters, and with them."""
    print(f"\nHelper POST, htmx fragment, logged; medians of {PAIRS} turns, milliseconds of this process")
    say("", "ours", "one row", "ratio", "as many", "ratio", "spread", "budget", "")
    for name, (slug, due, inputs) in POSTS.items():
        measure_post(Browser(app), name, slug, due, inputs)
    for name, (slug, due, inputs, lines) in COUNTER_POSTS.items():
        measure_post(Browser(app), name, slug, due, inputs, lines, COUNTERS)
    print("Bare views (bench/bare.py): same middleware, CSRF and compression, the bytes ready.")
    print("One writes one row, the other as many as ours.")
    print("Judged are the first by one row, those with counters by as many rows; the spread is of that ratio.")


def measure_post(
    browser: "Browser", name: str, slug: str, due: list[dict], inputs: dict, lines: int = 1, counters: str = ""
) -> None:
    """One kind of POST, ours and the bare ones in turns, each in a match of its own."""
    from firefight.columns import DueRoll
    from firefight.models import LogEntry, Match

    ours, theirs = browser.begin_match(hot_seat="on"), browser.begin_match(hot_seat="on")
    for pk in (ours, theirs) if counters else ():
        put_counters(browser, pk, counters)
    queue = tuple(DueRoll.from_json(step) for step in due)
    fresh = replace(Match.objects.get(pk=ours).state, queue=queue)
    step = {"step": queue[0].id, "chained": "1"} if queue and "step" not in inputs else {}

    def form(match_id: str) -> dict:
        # The same rolls are due before each of them, so that all of them do the same.
        Match.objects.filter(pk=match_id).update(state=fresh)
        return {**known_form(match_id), **inputs, **step}

    def post(address: str, match_id: str) -> float:
        browser.send("POST", address, form(match_id), htmx=True)
        assert browser.status == 200, f"{address}: {browser.status}"
        return browser.cpu

    address = f"/match/{ours}/due/" if slug == "due" else f"/match/{ours}/roll/{slug}/"
    bare = [f"/bare/{theirs}/{view}/" for view in ("constant", "as-many")]
    answer = browser.send("POST", f"/bare/{theirs}/prepare/{slug}/", form(theirs), htmx=True)
    for each in bare:
        same = browser.send("POST", each, form(theirs), htmx=True)
        assert same == answer, f"{name}: the bare view answers something else"
    rows = LogEntry.objects.filter(match=ours).count()
    jobs = (lambda: post(address, ours), *(lambda each=each: post(each, theirs) for each in bare))
    real, one, many = in_turns(PAIRS, *jobs)
    written = LogEntry.objects.filter(match=ours).count() - rows
    assert written == lines * (PAIRS + WARM_UP), f"{name}: {written} lines for {PAIRS + WARM_UP} rolls"
    by_one, by_many = compare(real, one), compare(real, many)
    judged, spread = by_many if counters else by_one
    cells = (f"{median(one):.2f}", f"{by_one[0]:.2f}", f"{median(many):.2f}", f"{by_many[0]:.2f}")
    say(name, f"{median(real):.2f}", *cells, spread, POST_BUDGET, verdict(judged <= POST_BUDGET))


def put_counters(browser: "Browser", pk: str, counters: str) -> None:
    """Put counters into play, and three of each side on a hex."""
    browser.send("POST", f"/match/{pk}/counters/add/", {**known_form(pk), "list": counters})
    for side, place in (("german", "K7"), ("russian", "K9")):
        ids = [f"{side}-{number}" for number in range(1, 4)]
        browser.send("POST", f"/match/{pk}/counters/", {**known_form(pk), "id": ids, "place": place})


def known_form(match_id: str) -> dict:
    """What the form of a page holds that shows the match as it stands."""
    from firefight.models import Match

    version, number = Match.objects.values_list("version", "last_number").get(pk=match_id)
    return {"act": uuid.uuid4(), "version": version, "after": number, "carry": "{}", "dice": "table"}


MATCHES, POLLS, ROUNDS, CLIENTS = 200, 4, 2, 4


def measure_load(app: Callable) -> None:
    """Many matches at once, polling and rolling, on a server of two workers, against the bare view there."""
    from firefight.hosting.listening import server_command

    browser, inputs = Browser(app), POSTS["fire, three units"][2]
    matches = [browser.begin_match() for _ in range(MATCHES)]
    bare = browser.begin_match()
    browser.send("POST", f"/bare/{bare}/prepare/fire/", {**known_form(bare), **inputs}, htmx=True)
    assert browser.status == 200
    forms = {pk: known_form(pk) for pk in [*matches, bare]}
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    paths = os.pathsep.join([str(Path(__file__).parent), str(ROOT)])
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "served", "PYTHONPATH": paths}
    command = server_command("127.0.0.1", port)
    with subprocess.Popen(command, cwd=ROOT, env=environment) as server:
        try:
            clients = [Client(port, browser.cookies, share) for share in shares(matches, CLIENTS)]
            clients[0].wait()
            ours, theirs = [], []
            for _ in range(ROUNDS):
                ours.append(at_once(lambda client: client.play(forms, inputs), clients))
                theirs.append(at_once(lambda client: client.write(bare, {**forms[bare], **inputs}), clients))
        finally:
            server.terminate()
    asked = MATCHES * (POLLS + 1)
    ratio = min(theirs) / min(ours)
    print(f"\n{MATCHES} matches on a server of two workers: {POLLS} polls and a roll each; best of {ROUNDS} rounds")
    say("", "a second", "bare", "ratio", "budget", "")
    rates = (f"{asked / min(ours):.0f}", f"{asked / min(theirs):.0f}")
    say("requests", *rates, f"{ratio:.2f}", LOAD_BUDGET, verdict(ratio >= LOAD_BUDGET))


def shares(matches: list[str], number: int) -> list[list[str]]:
    """The matches dealt out."""
    return [matches[place::number] for place in range(number)]


def at_once(job: Callable, clients: list["Client"]) -> float:
    """The seconds until all clients have done this, side by side."""
    begin = time.perf_counter()
    with ThreadPoolExecutor(len(clients)) as pool:
        list(pool.map(job, clients))
    return time.perf_counter() - begin


class Client:
    """A connection that is kept, for some of the matches; the cookies are those of a browser that sits in all."""

    def __init__(self, port: int, cookies: SimpleCookie, matches: list[str]):
        self.link, self.matches = http.client.HTTPConnection("127.0.0.1", port, timeout=60), matches
        self.token = cookies["csrftoken"].value
        cookie = cookies.output(attrs=[], header="", sep=";").strip()
        self.headers = {"Cookie": cookie, "HX-Request": "true", "Content-Type": "application/x-www-form-urlencoded"}

    def ask(self, method: str, address: str, form: dict | None = None) -> tuple[int, str]:
        """Status and text of the answer."""
        body = urlencode({"csrfmiddlewaretoken": self.token, **form}, doseq=True) if form else None
        self.link.request(method, address, body, self.headers)
        answer = self.link.getresponse()
        return answer.status, answer.read().decode()

    def wait(self) -> None:
        """Until the server answers."""
        for _ in range(300):
            with suppress(OSError):
                self.ask("GET", "/assist/")
                return
            self.link.close()
            time.sleep(0.1)
        raise SystemExit("The server does not start.")

    def play(self, forms: dict[str, dict], inputs: dict) -> None:
        """Poll and roll in each of its matches, as a page there does."""
        for pk in self.matches:
            form = forms[pk]
            for _ in range(POLLS):
                status, _ = self.ask("GET", f"/match/{pk}/live/?version={form['version']}&after={form['after']}")
                assert status == 204, f"A poll answers {status}"
            status, _ = self.ask("POST", f"/match/{pk}/roll/fire/", {**form, **inputs, "act": uuid.uuid4()})
            assert status == 200, f"A roll answers {status}"
            forms[pk] = {**form, "version": form["version"] + 1, "after": form["after"] + 1}

    def write(self, pk: str, form: dict) -> None:
        """Ask the bare view as often."""
        for _ in range(len(self.matches) * (POLLS + 1)):
            status, _ = self.ask("POST", f"/bare/{pk}/constant/", form)
            assert status == 200, f"The bare view answers {status}"


def measure_odds() -> None:
    """Every helper's exact odds: of the first game at their longest, of the others with good inputs."""
    from firefight.assistant import chartbooks, registry
    from firefight.engine.errors import RuleError

    print(f"\nExact odds, counted anew each time; medians of {ODDS_RUNS}")
    say("", "ms", "slowest", "budget", "")
    asked = [(helper, helper.form.from_plain, ODDS) for helper in registry.helpers(GAME).values()]
    for game in registry.games().keys() - {GAME}:
        samples = import_module(f"tests.games.samples.{game.replace('-', '_')}").SAMPLES
        asked += [(helper, helper.form, samples) for helper in registry.helpers(game).values() if helper.dice]
    for helper, make_form, inputs_of in asked:
        slug, book = helper.slug, chartbooks.shipped(helper.game)
        form = make_form(inputs_of.get(slug, {}), book=book)
        assert form.is_valid(), f"{slug}: {form.errors.as_json()}"
        inputs, taken = form.inputs(), []
        for _ in range(ODDS_RUNS):
            _counted.cache_clear()
            begin = time.perf_counter()
            with suppress(RuleError):  # some have nothing to count before they are filled in
                helper.all_odds(book, inputs)
            taken.append((time.perf_counter() - begin) * 1000)
        good = verdict(median(taken) <= ODDS_BUDGET)
        say(slug, f"{median(taken):.2f}", f"{max(taken):.2f}", ODDS_BUDGET, good)


def measure_pages(app: Callable) -> None:
    """The match page while its log grows, and the question whether anything is new."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from firefight.models import LogEntry, Match

    pass

    browser, pages, inputs = Browser(app), {}, POSTS["fire, three units"][2]
    for length in LOG_LENGTHS:
        pk = browser.begin_match(hot_seat="on")
        version = Match.objects.values_list("version", flat=True).get(pk=pk)
        form = {"act": uuid.uuid4(), "version": version, "carry": "{}", "dice": "table", **inputs}
        browser.send("POST", f"/match/{pk}/roll/fire/", form, htmx=True)
        rolled = LogEntry.objects.filter(match=pk).first()
        shared = {"match_id": pk, "kind": rolled.kind, "side": rolled.side, "sentence": rolled.sentence}
        more = {"helper": rolled.helper, "inputs": rolled.inputs, "result": rolled.result, "rolls": rolled.rolls}
        numbers = range(rolled.number + 1, length + 1)
        LogEntry.objects.bulk_create(LogEntry(number=number, **shared, **more) for number in numbers)
        Match.objects.filter(pk=pk).update(last_number=length)
        pages[length] = f"/match/{pk}/"

    def job(address: str, status: int) -> float:
        browser.send("GET", address)
        assert browser.status == status, f"{address}: {browser.status}"
        return browser.cpu

    version, last = Match.objects.values_list("version", "last_number").get(pk=pk)
    jobs = {f"page, {length} entries": (address, 200) for length, address in pages.items()}
    jobs["live poll, nothing new"] = (f"{pages[LOG_LENGTHS[-1]]}live/?version={version}&after={last}", 204)
    taken = in_turns(PAGE_PAIRS, *(lambda job_=job_: job(*job_) for job_ in jobs.values()))
    first = taken[0]
    print(f"\nMatch page; medians of {PAGE_PAIRS} turns. A page shows the newest {PAGE} entries")
    say("", "ms", "budget", "ratio", "spread", "queries", "budget", "")
    counts = []
    for (name, (address, status)), times in zip(jobs.items(), taken, strict=True):
        with CaptureQueriesContext(connection) as queries:
            job(address, status)
        is_page = status == 200
        counts += [len(queries)] if is_page else []
        budget = QUERY_BUDGET if is_page else 1
        good = len(queries) <= budget and len(set(counts)) == 1 and median(times) <= MATCH_PAGE_BUDGET
        ratio, spread = compare(times, first)
        cells = (f"{median(times):.2f}", MATCH_PAGE_BUDGET, f"{ratio:.2f}", spread, len(queries), budget)
        say(name, *cells, verdict(good))


FULL_TABLE = {
    "german": "40 Grenadier squads, 10 NCOs, 10 Heavy MG 34",
    "russian": "40 Rifle squads, 10 NCOs, 10 Maxim M1910",
}


def measure_table(app: Callable) -> None:
    """The match page with 120 counters on 24 hexes."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    browser = Browser(app)
    pk = browser.begin_match(hot_seat="on")
    for side, counters in FULL_TABLE.items():
        browser.send("POST", f"/match/{pk}/counters/add/", {**known_form(pk), "side": side, "list": counters})
        for place in range(12):
            ids = [f"{side}-{number}" for number in range(1 + place * 5, 6 + place * 5)]
            hex_ = f"{'CDEFGH'[place % 6]}{10 + place + 20 * (side == 'german')}"
            browser.send("POST", f"/match/{pk}/counters/", {**known_form(pk), "id": ids, "place": hex_})
    with CaptureQueriesContext(connection) as queries:
        page = browser.send("GET", f"/match/{pk}/")
    asked = len(queries)
    assert page.count('name="chosen"') == 120, "120 counters are to be on the page"

    def job() -> float:
        browser.send("GET", f"/match/{pk}/")
        return browser.cpu

    (taken,) = in_turns(PAGE_PAIRS, job)
    size = len(page.encode())
    good = median(taken) <= TABLE_BUDGET and size <= PAGE_BYTES and asked <= QUERY_BUDGET
    print("\nMatch page with 120 counters")
    say("", "ms", "budget", "KB", "budget", "queries", "budget", "")
    cells = (f"{median(taken):.2f}", TABLE_BUDGET, f"{size / 1000:.1f}", PAGE_BYTES // 1000, asked, QUERY_BUDGET)
    say("page", *cells, verdict(good))


PHASE_UNITS = (100, 400, 1_600)
PHASE_BUDGET = 0.3  # seconds, for 400 units
LEDGER_SIZES = {"small": (40, 20), "large": (400, 5_000)}  # units, log entries
SEED = "5eed" * 16  # the app's dice fall the same in every run
FORCES = {
    "german": ("grenadier_squad", "grenadier_squad", "pioneer_squad", "heavy_mg_34", "nco", "stug_iii_c"),
    "russian": ("rifle_squad", "rifle_squad", "guards_squad", "maxim_m1910", "nco", "t_34_76_b"),
}


def new_campaign(units: int, **more) -> str:
    """A campaign with so many units, half on each side and spread over all 22 sectors; returns the match's id."""
    from campaign.acts.beginning import begin
    from campaign.models import Campaign, Unit
    from firefight.models import Match

    match, _ = begin("cg1", "Bench", hot_seat=True, seed=SEED)
    Unit.objects.filter(campaign=match.pk).delete()
    Unit.objects.bulk_create(
        Unit(campaign_id=match.pk, side=side, number=n, counter=kinds[n % len(kinds)], sector=n % 22 + 1)
        for side, kinds in FORCES.items()
        for n in range(1, units // 2 + 1)
    )
    Campaign.objects.filter(pk=match.pk).update(**more)
    return Match.objects.get(pk=match.pk).pk


def measure_phase() -> None:
    """A whole Reorganization Phase: everybody told, nobody leaves, every sector fought out, all dice by the app."""
    from campaign.acts import reorganizing
    from campaign.rules.phase import ReorganizationPhase
    from campaign.rules.steps import Step
    from firefight.models import Match
    from firefight.table.act.table import Table

    def act(pk: str, do: Callable, side: str, *values: object) -> None:
        match = Match.objects.get(pk=pk)
        table = Table(match, side, tuple(FORCES), tuple(match.seats.all()))
        do(table, str(uuid.uuid4()), match.version, *values)

    print("\nReorganization Phase of 22 sectors, each with units of both sides; best of 3 runs in turn")
    say("units", "s", "ratio", "x units", "budget", "")
    best = dict.fromkeys(PHASE_UNITS, float("inf"))
    for _ in range(3):
        for units_ in PHASE_UNITS:
            pk = new_campaign(
                units_, stage="reorganization", attacker="german", phase=ReorganizationPhase(Step.AFTER_ACTION)
            )
            begin = time.perf_counter()
            for side in FORCES:
                act(pk, reorganizing.confirm_report, side)
            act(pk, reorganizing.hurry, "german", "phase")
            best[units_] = min(best[units_], time.perf_counter() - begin)
    before = None
    for units_, taken in best.items():
        ratio, growth = (taken / best[before], units_ / before) if before else (1, 1)
        good = ratio <= growth * 1.1 and (units_ > 400 or taken <= PHASE_BUDGET)
        budget = f"{PHASE_BUDGET} s" if units_ == 400 else f"x {growth:.0f}"
        say(units_, f"{taken:.2f}", f"{ratio:.2f}", f"{growth:.0f}", budget, verdict(good))
        before = units_


def measure_ledger(app: Callable) -> None:
    """The pages of a campaign while units and log grow."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from firefight.models import LogEntry, Match

    browser = Browser(app)
    browser.send("GET", "/campaign/new/")
    places = ("", "map/", "map/?sector=7", "roster/german/", "roster/russian/?group=I1", "firefight/", "sealed/")
    made = {}
    for name, (units_, entries) in LEDGER_SIZES.items():
        pk = made[name] = new_campaign(units_, stage="firefight", attacker="german")
        first = Match.objects.values_list("last_number", flat=True).get(pk=pk) + 1
        shared = {"match_id": pk, "kind": "ledger", "side": "german", "sentence": "A line of the log."}
        LogEntry.objects.bulk_create(LogEntry(number=number, **shared) for number in range(first, entries + 1))
        Match.objects.filter(pk=pk).update(last_number=entries)
        sit_down(browser, pk)
    told = ", ".join(f"{name}: {u} units, {e} entries" for name, (u, e) in LEDGER_SIZES.items())
    print(f"\nPages of a campaign ({told}); medians of {PAGE_PAIRS} turns")
    say("page", "ms", "large ms", "ratio", "queries", "large KB", "budget", "")
    for place in places:
        found = {}

        def job(name: str, place: str = place, found: dict = found) -> float:
            found[name] = len(browser.send("GET", f"/campaign/{made[name]}/{place}").encode())
            assert browser.status == 200, f"{place}: {browser.status}"
            return browser.cpu

        small, large = in_turns(PAGE_PAIRS, lambda job=job: job("small"), lambda job=job: job("large"))
        counts = []
        for name in made:
            with CaptureQueriesContext(connection) as queries:
                job(name)
            counts.append(len(queries))
        ratio, _ = compare(large, small)
        good = max(counts) <= QUERY_BUDGET and len(set(counts)) == 1 and found["large"] <= PAGE_BYTES
        good = good and median(large) <= LEDGER_PAGE_BUDGET
        cells = (
            f"{median(small):.1f}",
            f"{median(large):.1f}",
            f"{ratio:.2f}",
            counts[1],
            f"{found['large'] / 1000:.0f}",
        )
        say(place or "overview", *cells, f"{QUERY_BUDGET}", verdict(good))


SHEET_BUDGET, SHEET_KB, SHEET_RUNS = 0.5, 300, 9  # seconds, kilobytes


def measure_sheets() -> None:
    """Both full rosters as PDF, and the other sheets, blank."""
    from datetime import datetime

    from campaign.ledger.content import shipped
    from campaign.sheets import SHEETS
    from campaign.sheets.printing import Printing
    from firefight.drawing.paper import Format

    print(f"\nSheets as PDF, blank, A4; best of {SHEET_RUNS} runs")
    say("", "s", "median", "KB", "budget", "")
    order = Printing(shipped(), "Bench", Format.A4, datetime(2026, 1, 1))
    for name, sheet in SHEETS.items():
        taken = []
        for _ in range(SHEET_RUNS):
            begin = time.perf_counter()
            size = len(sheet.draw(order).bytes()) / 1000
            taken.append(time.perf_counter() - begin)
        good = verdict(min(taken) <= SHEET_BUDGET and size <= SHEET_KB)
        say(name, f"{min(taken):.2f}", f"{median(taken):.2f}", f"{size:.0f}", f"{SHEET_BUDGET} s", good)


def sit_down(browser: "Browser", pk: str) -> None:
    """Give the browser the German seat, by a link of its own."""
    from firefight.models import Seat
    from firefight.web.tokens import hash_token

    token = uuid.uuid4().hex * 2
    Seat.objects.filter(match=pk, side="german").update(token_hash=hash_token(token))
    browser.send("GET", f"/seat/{token}/")
    browser.send("GET", "/claim/")
    browser.send("POST", "/claim/", {})


def main() -> None:
    """Measure everything against a database of its own."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="volga-bench-", ignore_cleanup_errors=True) as folder:
        for name in ("DATABASE_URL", "DEBUG", "HTTPS", "BEHIND_PROXY", "ALLOWED_HOSTS", "SECRET_KEY"):
            os.environ.pop(name, None)
        os.environ |= {"VOLGA_DATA": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}

        import django
        from django.conf import settings
        from django.core.management import call_command
        from django.db import connection

        settings.ROOT_URLCONF = "bare"  # ours, with the bare views beside them
        django.setup()
        call_command("collectstatic", interactive=False, verbosity=0)
        from config.wsgi import application as app  # after the static files were laid out

        call_command("migrate", interactive=False, verbosity=0)
        call_command("load_shipped")
        python = sys.version.split()[0]
        print(f"Volga Ledger {settings.VERSION}, Python {python}, Django {django.__version__}, SQLite in a file")
        measure_posts(app)
        measure_load(app)
        measure_odds()
        measure_pages(app)
        measure_table(app)
        measure_ledger(app)
        measure_phase()
        measure_sheets()
        connection.close()
    missed = sum(broken)
    told = f"{missed} of {len(broken)} budgets broken." if missed else f"All {len(broken)} budgets hold."
    print(f"\n{told} ({time.monotonic() - begin:.0f} s)")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
