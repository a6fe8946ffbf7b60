"""Whatever two players do at a table: it can be taken back exactly, the log tells it all, and nobody sees a secret."""

import json
import re

import pytest

from tests.oracles import lookout
from tests.oracles.adjutant import Adjutant
from tests.oracles.tablekeeper import FIELDS, Piece, TableKeeper, Wrong
from tests.oracles.umpire import Umpire
from tests.soak import length, seeds

from .random_hands import SHOWN, act_and_check, check_all_secrets, check_results, known
from .random_table import SIDES, RandomTable

pytestmark = [pytest.mark.django_db, pytest.mark.soak]

ACTS = length(25, 40)
TO_BOOKS = 5  # acts until the books are compared again
TO_PAGES = 4  # acts until what pages say is held against what they said before an act; of others the rows are


def union_of_logs(play):
    """The log with what each side's file holds of it."""
    ours, theirs = (json.loads(play.players[side].get("log.json").content) for side in SIDES)
    entries = [a if "inputs" in a or a["number"] not in b else b[a["number"]] for a, b in [
        (entry, {line["number"]: line for line in theirs["entries"]}) for entry in ours["entries"]
    ]]  # fmt: skip
    return {**ours, "entries": entries}


def told(play):
    """Who is how, as each side is told of its own counters."""
    own = [counter for side in SIDES for counter in known(play.players[side], side)]
    return {
        counter["id"]: {name: sorted(counter[name]) if name == "state" else counter[name] for name in FIELDS}
        for counter in own
    }


def check_books(play, is_asked):
    log = union_of_logs(play)
    try:
        adjutant = Adjutant()
        keeper = TableKeeper(play.start, is_asked).keep(log, play.after, (Umpire(), adjutant))
        if not is_asked:
            adjutant.check_due([step.id for step in play.match.state.queue], keeper.page)
    except Wrong as wrong:
        ids = set(re.findall(r"(?:german|russian)-\d+", str(wrong)))
        about = [line for line in log["entries"] if any(id in json.dumps(line) for id in ids)]
        lines = [
            f"{line['number']} {line['kind']}, void by {line['voided_by']}, about {line['about']}: {line['sentence']}"
            for line in about
        ]
        raise Wrong("\n".join([str(wrong), *lines[-14:]])) from None
    assert keeper.plain() == told(play)


def notice(play, charts):
    """The table as it is now, for the lookout: each side is asked for its own counters."""
    page = {}
    for counter in (counter for side in SIDES for counter in play.known(side)):
        fields = {name: counter[name] for name in ("counter", "place", "level", "hidden", "fate")}
        page[counter["id"]] = Piece(**fields, state=set(counter["state"]))
    state = play.match.state
    due = {step.id: {"known_to": step.known_to, **step.to_json()} for step in state.queue}
    return lookout.Moment(page, state.record, state.turn, state.phase, due, charts)


def check_what_comes(play, before, charts, since):
    """What an act has brought about is due, and nothing else. ``since``: the number of the last line before it."""
    log = [line for line in play.log() if line.number > since]
    rolls = [
        {"number": line.number, "helper": line.helper, "inputs": line.inputs, "result": line.result.to_json()}
        | {"due": line.due, "voids": line.voids}
        for line in log
        if line.kind == "roll"
    ]
    lookout.judge(before, notice(play, charts), rolls)


def charts_of(play):
    log = play.players["german"].get("log.json").json()
    return log["books"][log["chart_book"]]["charts"]


def play_on(play, acts):
    """Let so many things be done at a table, and check each."""
    is_asked, charts = False, charts_of(play)
    for number in range(acts):
        moment, since = notice(play, charts), play.match.last_number
        is_done = act_and_check(play, () if number % TO_PAGES else SHOWN)
        is_asked = is_asked or bool(play.match.state.options.get("apply") == "ask")
        # What is as if it had not been, or is wound back, asks for nothing anew.
        if is_done and play.last not in ("undo", "correct"):
            check_what_comes(play, moment, charts, since)
        if number % TO_BOOKS == 0:
            check_books(play, is_asked)
    check_books(play, is_asked)
    check_results(play)
    check_all_secrets(play)


@pytest.mark.parametrize("seed", seeds(1, 350))
def test_whatever_two_players_do_at_a_table(seed):
    play_on(RandomTable(seed), ACTS)
