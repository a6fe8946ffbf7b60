import re
import socket
import sys
import time
import tomllib
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest
from django.core.management import CommandError

import bootstrap
from firefight.hosting.listening import check_free
from firefight.hosting.starting import CannotStart
from firefight.management.commands.play import chosen_port, qr_code
from tests import chromium, postgres
from tests.books import ROOT


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with two lock files and a virtual environment that seems to be there."""
    (tmp_path / "requirements.txt").write_text("django\n")
    (tmp_path / "requirements-dev.txt").write_text("django\npytest\n")
    for python in ("bin/python", "Scripts/python.exe"):
        path = tmp_path / ".venv" / python
        path.parent.mkdir(parents=True)
        path.touch()
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(bootstrap, "runs", lambda *command: True)
    return tmp_path


@pytest.fixture
def installs(monkeypatch):
    """The requirement files that were installed, in place of pip."""
    done = []
    monkeypatch.setattr(bootstrap, "install", lambda python, lock: done.append(lock.name))
    return done


def test_second_run_installs_nothing(project, installs):
    python = bootstrap.ensure()
    assert bootstrap.ensure() == python
    assert installs == ["requirements.txt"]


def test_changed_requirements_are_installed_again(project, installs):
    bootstrap.ensure()
    (project / "requirements.txt").write_text("django\nsegno\n")
    bootstrap.ensure()
    assert installs == ["requirements.txt", "requirements.txt"]


def test_test_requirements_include_the_others(project, installs):
    bootstrap.ensure("requirements-dev.txt")
    bootstrap.ensure()
    assert installs == ["requirements-dev.txt"]
    (project / "requirements-dev.txt").write_text("django\nsegno\npytest\n")
    bootstrap.ensure("requirements-dev.txt")
    assert installs == ["requirements-dev.txt", "requirements-dev.txt"]


def test_failed_install_leaves_no_stamp(project, monkeypatch):
    monkeypatch.setattr(bootstrap, "install", lambda python, lock: "ERROR: a hash does not match")
    with pytest.raises(SystemExit, match="Could not install requirements.txt"):
        bootstrap.ensure()
    assert not bootstrap.is_stamped("requirements.txt")


def test_every_stage_runs_and_the_end_says_what_failed(capsys):
    ran = []

    def stage(name, code):
        return lambda: ran.append(name) or code

    stages = {"ruff": stage("ruff", 1), "tests on SQLite": stage("sqlite", 0), "tests on PostgreSQL": stage("pg", 2)}
    assert bootstrap.run_stages(stages) == 1
    assert ran == ["ruff", "sqlite", "pg"]
    assert capsys.readouterr().out == "Failed: ruff, tests on PostgreSQL.\n"
    assert bootstrap.run_stages({"ruff": stage("ruff", 0)}) == 0
    assert capsys.readouterr().out == "All stages passed: ruff.\n"


def test_lint_reads_rules_format_types_templates_and_stylesheets(monkeypatch):
    called = []
    monkeypatch.setattr(bootstrap, "call", lambda *command: called.append(command) or 0)
    assert [stage() for stage in bootstrap.lint_stages("python").values()] == [0] * 5
    assert called == [
        ("python", "-m", "ruff", "check", "."),
        ("python", "-m", "ruff", "format", "--check", "."),
        ("python", "-m", "mypy"),
        (Path("djangofmt"), "--check", "templates"),
        ("python", "scripts/check_css.py"),
    ]


def test_what_runs_beside_begins_at_once_and_tells_its_words_and_its_code_when_asked(tmp_path, capfd):
    begun = tmp_path / "begun"
    wrong = f"import pathlib, sys; pathlib.Path({str(begun)!r}).touch(); print('3 flaws', file=sys.stderr); sys.exit(3)"
    python = partial(partial, bootstrap.call, sys.executable, "-c")
    beside = bootstrap.begin_beside({"wrong": python(wrong), "right": python("print('All is well')")})
    deadline = time.monotonic() + 60
    while not begun.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert begun.exists() and capfd.readouterr() == ("", "")
    assert bootstrap.run_stages(beside) == 1
    assert capfd.readouterr().out.split("\n") == ["3 flaws", "All is well", "Failed: wrong.", ""]


def test_tests_that_nobody_has_run_are_compiled_once_before_the_workers_read_them(commands, monkeypatch, tmp_path):
    monkeypatch.setattr(bootstrap, "COMPILED", tmp_path / "nowhere")
    (stage,) = bootstrap.read_tests("python").values()
    assert stage() == 0
    assert commands == [(("pytest", "--collect-only", "-p", "no:terminal"), {"PYTHONDONTWRITEBYTECODE": None})]
    monkeypatch.setattr(bootstrap, "COMPILED", tmp_path)
    assert bootstrap.read_tests("python") == {}


def test_lint_goes_on_beside_the_tests_and_its_flaws_fail_them_all(commands, monkeypatch, capsys, tmp_path):
    listened = []
    monkeypatch.setattr(bootstrap, "COMPILED", tmp_path)
    monkeypatch.setattr(bootstrap, "listen", lambda *command: listened.append(command) or (1, f"{command[-1]}\n"))
    with pytest.raises(SystemExit) as ended:
        bootstrap.test()
    assert ended.value.code == 1
    assert len(listened) == 6 and [command[0] for command, _ in commands] == [
        "tests.chromium",
        "pytest",
        "tests.postgres",
    ]
    assert "Failed: ruff, format, mypy, templates, stylesheets, package.\n" in capsys.readouterr().out


def test_a_stage_that_cannot_run_here_is_skipped_and_named_and_fails_nobody(capsys):
    passes, skips, fails = lambda: 0, lambda: bootstrap.SKIPPED, lambda: 2
    assert bootstrap.run_stages({"one": passes, "two": skips}) == 0
    assert capsys.readouterr().out == "All stages passed: one. Skipped: two.\n"
    assert bootstrap.run_stages({"one": fails, "two": skips}) == 1
    assert capsys.readouterr().out == "Failed: one. Skipped: two.\n"


def test_without_an_embedded_server_the_stage_says_in_a_line_what_it_skips(monkeypatch, capsys):
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setitem(sys.modules, "pgserver", None)  # as on a Python without its wheel
    monkeypatch.setattr(postgres, "pytest", lambda *_: pytest.fail("Nothing can run."))
    assert postgres.main(["-q"]) == bootstrap.SKIPPED
    [line] = capsys.readouterr().out.splitlines()
    assert line.startswith("Tests on PostgreSQL are skipped: ") and "DATABASE_URL" in line


def test_a_server_of_ones_own_is_used_on_any_python(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://somewhere")
    monkeypatch.setitem(sys.modules, "pgserver", None)
    monkeypatch.setattr(postgres, "pytest", lambda arguments, url: [*arguments, url])
    assert postgres.main(["-q"]) == ["-q", "postgres://somewhere"]


@pytest.fixture
def commands(monkeypatch):
    """What would be called, each with the environment that it is given."""
    called = []
    monkeypatch.setattr(bootstrap, "ensure", lambda lock: "python")
    monkeypatch.setattr(
        bootstrap, "call", lambda *command, **environment: called.append((command[2:], environment)) or 0
    )
    return called


def test_a_soak_says_which_seed_brings_it_back(commands, monkeypatch, capsys):
    monkeypatch.setenv("VOLGA_SEED", "4711")
    with pytest.raises(SystemExit) as ended:
        bootstrap.soak()
    assert ended.value.code == 0
    assert "VOLGA_SEED=4711 make soak" in capsys.readouterr().out
    (long, environment), (everything, _) = commands
    assert {"--stage=soak", "--hypothesis-seed=4711"} <= set(long)
    assert (environment["VOLGA_SOAK"], environment["VOLGA_SEED"], environment["DATABASE_URL"]) == ("1", "4711", None)
    assert everything[0] == "tests.postgres" and "--stage=database" in everything
    monkeypatch.delenv("VOLGA_SEED")
    with pytest.raises(SystemExit):
        bootstrap.soak()
    assert commands[2][1]["VOLGA_SEED"] in capsys.readouterr().out


def test_whatever_has_a_length_is_in_the_soak():
    """Otherwise its whole length is never run. What hypothesis tries is in it without a mark."""
    modules = [path for path in (ROOT / "tests").rglob("test_*.py") if path != Path(__file__)]
    texts = {path.name: path.read_text() for path in modules if "soak import" in path.read_text()}
    texts |= {path.name: path.read_text() for path in modules if re.search("import .*soak$", path.read_text(), re.M)}
    assert len(texts) > 20
    assert [name for name, text in texts.items() if "mark.soak" not in text and "@given(" not in text] == []


def test_the_quick_tests_are_one_stage_with_a_browser(commands):
    with pytest.raises(SystemExit):
        bootstrap.test_quick()
    assert [command[0] for command, _ in commands] == ["tests.chromium", "pytest"]
    assert "--stage=quick" in commands[1][0]
    assert commands[1][1] == {"DATABASE_URL": None, "PYTHONDONTWRITEBYTECODE": None}


# Locks


def pins(name):
    """The packages that a file of requirements names, with their versions."""
    pinned = re.findall(r"^([\w.-]+)(?:\[\w+\])?==([\w.]+)", (ROOT / name).read_text(), re.M)
    return {re.sub(r"[-_.]+", "-", package).lower(): version for package, version in pinned}


def wishes():
    """What pyproject.toml asks for, by the lock file that it belongs to."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    lists = {
        "requirements": project["project"]["dependencies"],
        "requirements-dev": project["dependency-groups"]["test"],
    }
    pattern = re.compile(r"([\w.-]+)(?:\[\w+\])?==([\w.]+)")
    parsed = {name: [pattern.match(wish).groups() for wish in listed] for name, listed in lists.items()}
    return {name: {package.lower(): version for package, version in listed} for name, listed in parsed.items()}


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_the_lock_pins_what_is_wanted_with_hashes(name):
    assert wishes()[name].items() <= pins(f"{name}.txt").items()
    blocks = re.split(r"\n(?=\w)", (ROOT / f"{name}.txt").read_text())
    locked = [block for block in blocks if re.match(r"[\w.-]+==", block)]
    assert len(locked) == len(pins(f"{name}.txt"))
    assert all("--hash=sha256:" in block for block in locked)


def test_the_tests_lock_holds_the_apps_to_the_letter():
    assert pins("requirements.txt").items() <= pins("requirements-dev.txt").items()


def test_every_wish_has_a_reason():
    lines = re.findall(r"^  .*==.*$", (ROOT / "pyproject.toml").read_text(), re.M)
    assert len(lines) == sum(map(len, wishes().values()))
    for line in lines:
        assert re.search(r",  # \w+", line), line


def test_chromium_variable_decides(tmp_path, monkeypatch):
    browser = tmp_path / "browser.exe"
    browser.touch(mode=0o755)
    monkeypatch.setenv("CHROMIUM", str(browser))
    assert chromium.find_chromium() == str(browser)
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "missing"))
    assert chromium.find_chromium() is None


@pytest.mark.parametrize(
    ("browsers", "is_disposable", "installed"),
    [
        (["chromium-headless-shell"], True, []),
        (["chromium"], False, []),
        (["chromium"], True, ["chromium-headless-shell"]),
        ([], False, ["chromium-headless-shell", "chromium"]),
    ],
)
def test_only_who_has_none_gets_a_browser_and_what_is_nobodys_the_lighter_one(
    monkeypatch, browsers, is_disposable, installed
):
    requested = []
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(chromium.shutil, "which", lambda name: name if name in browsers else None)
    monkeypatch.setattr(chromium, "is_disposable", lambda: is_disposable)
    monkeypatch.setattr(chromium, "install", requested.append)
    with nullcontext() if browsers else pytest.raises(SystemExit, match="need Chromium or Chrome"):
        chromium.main()
    assert requested == installed


@pytest.mark.parametrize("text", ["1", "8000", "65535"])
def test_port_is_taken(text):
    assert chosen_port(text) == int(text)


@pytest.mark.parametrize("text", ["0", "65536", "-1", "80a", "8 000", "8000.0", "٣", "9" * 5000])
def test_bad_port_gets_a_sentence(text):
    with pytest.raises(CommandError, match="is not a port"):
        chosen_port(text)


def test_busy_port_gets_a_sentence():
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        with pytest.raises(CannotStart, match=f"Port {port} is busy"):
            check_free("127.0.0.1", port)
    check_free("127.0.0.1", port)


def test_qr_code_is_drawn_with_blocks():
    assert "█" in qr_code("http://192.0.2.7:8000/")
