"""Choose the tests that PostgreSQL runs, too: python -m tests.statements

What another database could change is how it takes a statement, and there are far fewer statements than tests. This
runs every candidate (--stage=statements), notes which statements it sends, and writes a few tests that send all of
them down in tests/statements.txt. Other values make no other statement, and a list of them counts as one. Who is marked
as `sql` is chosen whatever it sends. A module that has come since, or that has lost a chosen test, runs whole.
"""

import re
import sys
import time
from pathlib import Path

import pytest
from django.db.backends.utils import CursorWrapper

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "tests" / "statements.txt"
LISTS = re.compile(r"(%s|\((?:%s(?:, )?)+\))(?:, ?\1)+")


def read_choice():
    """The chosen tests, and every module that was there when they were chosen."""
    lines = FILE.read_text().splitlines()
    return {line for line in lines if "::" in line}, {line.partition("::")[0] for line in lines}


def in_shape(statement):
    """A statement without what differs from time to time: numbers, names of savepoints, how many values."""
    statement = re.sub(r"(SAVEPOINT) .*", r"\1", re.sub(r"\d+", "0", str(statement)))
    return LISTS.sub(r"\1", LISTS.sub(r"\1", statement))


class Notes:
    """A plugin that notes what each test sends, and how long it takes."""

    def __init__(self):
        self.sent, self.seconds, self.modules, self.now = {}, {}, set(), set()

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items):
        self.modules = {item.nodeid.partition("::")[0] for item in items}

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        self.now, begun = set(), time.process_time()
        yield
        self.sent[item.nodeid] = set(map(in_shape, self.now))
        self.seconds[item.nodeid] = time.process_time() - begun

    def listen(self, name):
        """Note what is sent in this way."""
        send = getattr(CursorWrapper, name)

        def noted(cursor, statement, *values):
            self.now.add(statement)
            return send(cursor, statement, *values)

        setattr(CursorWrapper, name, noted)


def choose(sent, seconds):
    """A few tests that send all statements: again and again the one with the most new ones for its time."""
    left, chosen = set().union(*sent.values()), []
    while left:
        best = max(sent, key=lambda test: len(sent[test] & left) / (seconds[test] + 0.02))
        chosen.append(best)
        left -= sent[best]
    return chosen


def main():
    notes = Notes()
    notes.listen("execute")
    notes.listen("executemany")
    if code := pytest.main(["-q", "--stage=statements", *sys.argv[1:]], plugins=[notes]):
        sys.exit(code)
    chosen = choose(notes.sent, notes.seconds)
    FILE.write_text("".join(f"{line}\n" for line in sorted({*notes.modules, *chosen})))
    seconds = sum(notes.seconds[test] for test in chosen)
    print(f"{len(chosen)} of {len(notes.sent)} tests send every statement, in {seconds:.0f} seconds.")


if __name__ == "__main__":
    main()
