"""The server dies at any moment of a Reorganization Phase: what it has acknowledged is there, nothing is half done.

Two ways to die. A process that does an act is killed before each of its statements in turn. And a server, as `play`
starts it, is killed between requests and inside of them, while two browsers play on as soon as it is back. Both run
on SQLite and, where DATABASE_URL points there, on PostgreSQL.
"""

import http.client
import os
import random
import signal
import socket
import subprocess
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

import pytest
from django.conf import settings
from django.db import connection, connections

from campaign.acts import reorganizing
from campaign.ledger.dice import Dice
from campaign.ledger.ledger import load
from campaign.phase import battles, conductor, lookups
from campaign.phase.dice import upkeep_die
from campaign.rules.combat.answers import propose_answer
from campaign.rules.combat.pairing import propose_bouts
from campaign.rules.stages import Stage
from campaign.rules.steps import Step
from firefight.games.combat_stalingrad.rules.melee.attacks import Bout
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.hosting.listening import server_command
from firefight.models import Act, LogEntry, Match
from tests.campaign import players
from tests.campaign.acts.field import Field
from tests.campaign.memory import Memory
from tests.campaign.random_phase import events_of, plain_page
from tests.frozen import every_row
from tests.server import environment_with
from tests.soak import SEED, length

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork and no SIGKILL on this system"),
]

GERMAN, RUSSIAN = Side.GERMAN, Side.RUSSIAN
KILLS = length(2, 12)


# Killed before each statement of an act


def die_before(place, job):
    """Do a job in a process that is killed before its statement of this number; says whether it came to the end."""
    connections.close_all()  # nothing of ours is open while there are two of us
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    try:
        _count_down(place, job)
    finally:
        os.kill(os.getpid(), signal.SIGKILL)


def _count_down(place, job):
    left = [place]

    def count(execute, *args):
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(*args)

    with connection.execute_wrapper(count):
        job()
    os._exit(0)


def field_of_battle():
    """Sector 14 with two units a side, not yet declared for; and a damaged vehicle."""
    field = Field()
    field.ours = [field.put(GERMAN, counter, 14) for counter in ("", "flamethrower")]
    field.theirs = [field.put(RUSSIAN, counter, 14) for counter in ("", "commissar")]
    field.put(GERMAN, "stug_iii_c", 6, marks=["m_killed", "f_killed"])
    return field.told()


ACTS = {
    "redeploy": (field_of_battle, lambda field: (reorganizing.redeploy, {field.ours[0]: 7}, Dice("app"))),
    "fight_round": (lambda: field_of_battle().to(Step.BATTLE), lambda field: (reorganizing.fight_round,)),
    "recover": (lambda: field_of_battle().to(Step.UPKEEP), lambda field: (reorganizing.recover, Dice("app"))),
}


@pytest.mark.soak
@pytest.mark.parametrize("kind", ACTS)
def test_an_act_killed_before_any_of_its_statements_is_not_done_and_else_it_is_whole(kind):
    begin, arguments_of = ACTS[kind]
    field = begin()
    act, *more = arguments_of(field)
    act_id, version = str(uuid.uuid4()), field.game.match.version

    def job():
        field.do(act, GERMAN, *more, act_id=act_id, version=version)

    before, place = every_row(), 1
    while not die_before(place, job):
        assert every_row() == before, f"killed before statement {place}"
        place += 1
    assert place > 8
    after = every_row()
    assert after != before
    assert Act.objects.filter(pk=act_id).count() == 1
    first = [entry.sentence for entry in field.game.entries if str(entry.act_id) == act_id]
    again = field.do(act, GERMAN, *more, act_id=act_id, version=version)
    assert every_row() == after
    assert [entry.sentence for entry in again.entries] == first


# A server that is killed while two browsers play


def database_url():
    """The address of the tests' database for another process."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


@dataclass
class Server:
    """The app behind granian, as `play` starts it, with one worker. ``starts`` counts how often."""

    folder: str
    process: subprocess.Popen | None = None
    port: int = 0
    starts: int = 0

    def start(self):
        """Start it, and wait until it answers."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        environment = {"DATABASE_URL": database_url(), "SECRET_KEY": settings.SECRET_KEY, "VOLGA_DATA": self.folder}
        self.process = subprocess.Popen(
            server_command("127.0.0.1", self.port, workers=1),
            env=environment_with(**environment),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # so that it can be killed with its worker
        )
        self.starts += 1
        deadline = time.monotonic() + 25
        while time.monotonic() < deadline:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 0.2):
                return self
            time.sleep(0.05)
        raise AssertionError("The server does not start.")

    def kill(self):
        """Kill it and its worker, without a word of warning."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@pytest.fixture
def server(tmp_path):
    server = Server(str(tmp_path))
    yield server.start()
    server.kill()


@dataclass
class Browser:
    """A player's browser at the server. His seat was taken before; the token against forgery is his own."""

    player: players.Player

    def post(self, server, fields):
        """Send a form off; returns the connection, on which the answer is waited for or not."""
        token = "k" * 32
        cookies = {name: morsel.value for name, morsel in self.player.client.cookies.items()} | {"csrftoken": token}
        headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
            "Content-Type": "application/x-www-form-urlencoded",
        }
        link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        body = urlencode({**fields, "csrfmiddlewaretoken": token}, doseq=True)
        link.request("POST", self.player.address("reorganization/"), body, headers)
        return link


@dataclass
class Phase:
    """A phase played over HTTP by random decisions, and again in memory by what the log tells of it."""

    match_id: str
    browsers: dict
    rng: random.Random

    def __post_init__(self):
        self.ledger = load(Match.objects.get(pk=self.match_id))
        self.memory = Memory(load(Match.objects.get(pk=self.match_id)))
        self.sent = {}  # what each act asked for, by its id
        self.heard = self.ledger.match.version

    # What to ask for

    def form(self):
        """(browser, form) of the next act."""
        self.ledger = load(Match.objects.get(pk=self.match_id))
        side, *_ = conductor.find_deciders(self.ledger)
        kind, fields, arguments = self._choose(side)
        act_id = str(uuid.uuid4())
        self.sent[act_id] = kind, side, arguments
        head = {"do": kind, "act": act_id, "version": self.ledger.match.version}
        return self.browsers[side], {**head, "dice": self.rng.choice(("app", "table")), **fields}

    def _choose(self, side):
        match lookups.step(self.ledger):
            case Step.AFTER_ACTION:
                return "confirm-report", {}, ()
            case Step.EXISTING | Step.BATTLE:
                return self._fight()
            case Step.UPKEEP:
                due = lookups.list_damaged(self.ledger, side)
                names = [upkeep_die(self.ledger, unit, damage).name for unit, damage in due]
                return "recover", {name: self.rng.randint(1, 10) for name in names}, ()
        candidates = lookups.list_candidates(self.ledger, side)
        moves = {unit.number: self.rng.choice(list(goals)) for unit, goals in candidates if self.rng.random() < 0.4}
        fields = {f"to_{number}": goal for number, goal in moves.items()}
        return "redeploy", fields | {f"die_{number}": self.rng.randint(1, 10) for number in moves}, (moves,)

    def _fight(self):
        if self.rng.random() < 0.3:
            return "fight-round", {}, ()
        waiting = self.ledger.phase.gathered
        meeting = waiting.bout if waiting else propose_bouts(battles.battle_of(self.ledger))[0]
        chosen = Bout(meeting.attackers, meeting.defenders)
        keys = {
            name: [f"{side}-{number}" for side, number in getattr(chosen, f"{name}s")]
            for name in ("attacker", "defender")
        }
        hits = {f"{way}_hit_{n}": self.rng.randint(1, 10) for way in ("attack", "defense") for n in range(1, 9)}
        faces = {way: self.rng.randint(1, 100) for way in ("attack", "defense")}
        return "fight", {**keys, **faces, **hits}, (chosen,)

    # What must be true afterwards

    def check(self, acknowledged):
        """The rows are what the acts of the log make of the rows of before; log and acts have no gaps."""
        match = Match.objects.get(pk=self.match_id)
        acts = list(Act.objects.filter(match=match).order_by("number"))
        assert [act.number for act in acts] == list(range(acts[0].number, match.version + 1))
        entries = list(LogEntry.objects.filter(match=match).order_by("number"))
        assert [entry.number for entry in entries] == list(range(1, match.last_number + 1))
        numbers = [die.number for entry in entries for die in entry.rolls if die.source == "app"]
        assert numbers == list(range(1, match.next_roll))
        assert set(acknowledged) <= {str(act.pk) for act in acts}
        with self.memory.open():
            for act in acts:
                if act.number > self.heard:
                    self._replay(act, [entry for entry in entries if entry.act_id == act.pk])
        self.heard = match.version
        ledger = load(match)
        assert plain_page(ledger) == plain_page(self.memory.ledger)
        assert ledger.campaign.phase == self.memory.ledger.campaign.phase

    def _replay(self, act, lines):
        kind, side, arguments = self.sent[str(act.pk)]
        dice = Dice("table", {die.die: die.face for line in lines for die in line.rolls})
        if kind == "confirm-report":
            self.memory.do(reorganizing.confirm_report, side)
        elif kind == "recover":
            self.memory.do(reorganizing.recover, side, dice)
        elif kind == "redeploy":
            self.memory.do(reorganizing.redeploy, side, *arguments, dice)
        elif kind == "fight":
            self.memory.do(reorganizing.fight, side, *arguments, dice)
        else:
            fought = [line for line in lines if ", round " in line.sentence]
            if not fought:  # it only asks the other side to have the round rolled
                self.memory.do(reorganizing.fight_round, side)
            for line in fought:
                ledger = self.memory.ledger
                waiting, battle = ledger.phase.gathered, battles.battle_of(ledger)
                chosen = propose_answer(waiting, battle) if waiting else propose_bouts(battle)[0]
                (event,) = events_of([line], [chosen])
                decider = waiting.side.other if waiting else Side(event[1])
                self.memory.do(reorganizing.fight, decider, chosen, Dice("table", event[3]), plays_all=True)


def thick_of_it():
    """Four sectors to fight for, with enough units that a phase takes some thirty acts; both are to tell."""
    table = players.seated("cg2")
    field = Field(match_id=table.match_id)
    for sector in (5, 9, 14, 20):
        for side, team in ((GERMAN, "pioneer_squad"), (RUSSIAN, "maxim_m1910")):
            field.put(side, "", sector, f"{chr(64 + sector)}7")
            if sector != 20:
                field.put(side, team, sector, f"{chr(64 + sector)}8")
    field.put(GERMAN, "stug_iii_c", 6, marks=["m_killed", "f_killed"])
    field.put(RUSSIAN, "t_70", 18, marks=["m_killed"])
    field.over()
    return table


@pytest.mark.long
@pytest.mark.soak
def test_a_server_killed_at_random_loses_no_act_and_does_none_by_half(server):
    table = thick_of_it()
    phase = Phase(table.match_id, {side: Browser(getattr(table, side)) for side in Side}, random.Random(SEED))
    delays, acknowledged = random.Random(), []
    for turn in range(400):
        if Match.objects.get(pk=table.match_id).campaign.stage != Stage.REORGANIZATION:
            break
        browser, fields = phase.form()
        link = browser.post(server, fields)
        if server.starts <= KILLS and turn % 3 == 2:
            time.sleep(delays.uniform(0, 0.03))
            server.kill()
            if _answer(link):
                acknowledged.append(fields["act"])
            phase.check(acknowledged)
            server.start()
            link = browser.post(server, fields)  # the player sends it once more, not knowing
        assert _answer(link) == 302
        acknowledged.append(fields["act"])
        if turn % 7 == 6:
            if server.starts <= KILLS:
                server.kill()  # between two requests
                server.start()
            phase.check(acknowledged)
    phase.check(acknowledged)
    assert Match.objects.get(pk=table.match_id).campaign.stage != Stage.REORGANIZATION
    assert len(set(acknowledged)) == len(phase.sent)
    assert server.starts > KILLS / 3, "the phase is over so soon that it was hardly ever killed"


def _answer(link):
    """The status of the answer, None if there is none any more."""
    try:
        return link.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        link.close()
