"""start.command and start.bat, and what the first start says while it prepares: for players who have no terminal."""

import os
import re
import shutil
import subprocess
import sys

import pytest

import bootstrap
from tests.books import ROOT

pytestmark = pytest.mark.slow

# A Python that is what it is asked to be: too old, or one that says what it was started with.
OLD = "#!/bin/sh\nexit 1\n"
GOOD = '#!/bin/sh\ncase "$1" in -c) exit 0;; *) echo "$0 runs $*";; esac\n'
FAILS = '#!/bin/sh\ncase "$1" in -c) exit 0;; *) exit 3;; esac\n'


@pytest.fixture
def unpacked(tmp_path):
    """The archive as somebody has unpacked it: in a folder with a space and an umlaut."""
    folder = tmp_path / "Spiele für zwei" / "volga ledger"
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "start.command", folder)
    (folder / "bootstrap.py").touch()
    return folder


def start(folder, *arguments, **pythons):
    """Start it on a machine that has only these Pythons."""
    programs = folder.parent / "bin"
    programs.mkdir()
    for name in {"dirname", "uname", "cat", "touch"} - {*pythons}:
        (programs / name).symlink_to(shutil.which(name))
    for name, script in pythons.items():
        program = programs / name.replace("_", ".")
        program.write_text(script)
        program.chmod(0o755)
    words = ["/bin/sh", str(folder / "start.command"), *arguments]
    done = subprocess.run(
        words, capture_output=True, text=True, env={"PATH": str(programs)}, stdin=subprocess.DEVNULL, check=False
    )
    return done.returncode, done.stdout.strip().splitlines()[-1]


def test_a_python_that_is_new_enough_starts_the_app(unpacked):
    code, output = start(unpacked, python3=GOOD)
    assert code == 0
    assert output.endswith("python3 runs bootstrap.py start")


def test_an_older_python_is_passed_over_for_a_newer_one(unpacked):
    code, output = start(unpacked, python3=OLD, python3_12=GOOD)
    assert code == 0
    assert output.endswith("python3.12 runs bootstrap.py start")


def test_a_python_that_is_called_python_alone_starts_the_app_with_what_was_asked(unpacked):
    code, output = start(unpacked, "--lan", python=GOOD)
    assert code == 0
    assert output.endswith("python runs bootstrap.py start --lan")


def test_without_a_python_it_says_where_to_get_one(unpacked):
    code, output = start(unpacked)
    assert code == 1
    assert "Get it from https://www.python.org/downloads/" in output


def test_too_old_a_python_is_named(unpacked):
    code, output = start(unpacked, python3=OLD)
    assert code == 1
    assert "needs Python 3.11 or newer, and python3 is older" in output


def test_an_app_that_ends_by_itself_leaves_its_words_on_the_screen(unpacked):
    code, output = start(unpacked, python3=FAILS)
    assert code == 1
    assert "the lines above say why" in output


ASKED = '#!/bin/sh\ntouch "$0.asked"\nexit 1\n'  # what macOS calls python3: being asked anything, it opens an offer


def start_on_a_mac(folder, tools, system="Darwin"):
    """Start it where python3 stands in the place of Apple's own, which ``tools`` make a Python; and whether that was
    asked."""
    file, programs = folder / "start.command", folder.parent / "bin"
    text = file.read_text()
    assert text.count("= /usr/bin/python3 ") == 1
    file.write_text(text.replace("= /usr/bin/python3 ", f'= "{programs}/python3" '))
    selects = f"#!/bin/sh\nexit {0 if tools else 2}\n"
    stand_ins = {"uname": f"#!/bin/sh\necho {system}\n", "xcode-select": selects}
    _, output = start(folder, python3=GOOD if tools else ASKED, python3_12=GOOD, **stand_ins)
    return output.rpartition("/")[2], (programs / "python3.asked").exists()


def test_apples_offer_is_passed_over_without_being_asked(unpacked):
    assert start_on_a_mac(unpacked, tools=False) == ("python3.12 runs bootstrap.py start", False)


def test_apples_own_python_starts_the_app_once_the_tools_are_there(unpacked):
    assert start_on_a_mac(unpacked, tools=True) == ("python3 runs bootstrap.py start", False)


def test_elsewhere_python3_is_no_offer(unpacked):
    output, was_asked = start_on_a_mac(unpacked, tools=False, system="Linux")
    assert (output, was_asked) == ("python3.12 runs bootstrap.py start", True)


def test_a_file_taken_out_of_the_archive_alone_says_so(unpacked):
    (unpacked / "bootstrap.py").unlink()
    code, output = start(unpacked, python3=GOOD)
    assert code == 1
    assert "Unpack the whole archive" in output


def test_it_can_be_started_by_a_double_click():
    assert (ROOT / "start.command").stat().st_mode & 0o111 == 0o111


def test_windows_can_read_its_own():
    text = (ROOT / "start.bat").read_bytes()
    assert text.isascii()
    assert text.count(b"\n") == text.count(b"\r\n")
    lines = text.decode().lower()
    labels = set(re.findall(r"^:(\w+)", lines, re.M))
    jumps = set(re.findall(r"goto (\w+)", lines)) | set(re.findall(r"call :(\w+)", lines))
    assert jumps <= labels
    assert labels - jumps <= {"stop"}  # the end, which is also fallen through to


def test_both_ask_for_the_version_that_the_project_needs():
    (needed,) = re.findall(r'requires-python = ">=(\d+)\.(\d+)"', (ROOT / "pyproject.toml").read_text())
    for name in ("start.bat", "start.command"):
        text = (ROOT / name).read_text()
        assert f"sys.version_info < ({', '.join(needed)})" in text
        assert f"Python {'.'.join(needed)} or newer" in text


# What the first start says


LOCK = "nothing-of-this-name==1.0 \\\n    --hash=sha256:" + 64 * "0" + "\n"


def test_without_a_network_the_first_start_says_what_it_needs(tmp_path, monkeypatch):
    (tmp_path / "requirements.txt").write_text(LOCK)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")  # where nobody listens
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    output = bootstrap.install(sys.executable, tmp_path / "requirements.txt")
    assert "connect this machine to the internet" in bootstrap.explain(output, "requirements.txt")


def test_what_else_stops_pip_is_left_in_its_own_words():
    explanation = bootstrap.explain("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES\n", "requirements.txt")
    assert explanation.startswith(
        "    ERROR: THESE PACKAGES DO NOT MATCH THE HASHES\nCould not install requirements.txt"
    )


def test_a_folder_that_may_not_be_written_to_is_named(tmp_path, monkeypatch):
    (tmp_path / "requirements.txt").write_text(LOCK)
    (tmp_path / "a file").touch()
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "VENV", tmp_path / "a file" / ".venv")  # no folder can be made there, even by root
    with pytest.raises(SystemExit, match="may not be written to. Move the folder to a place of your own"):
        bootstrap.ensure()


def test_progress_is_told_on_a_screen_alone(capsys, monkeypatch):
    bootstrap.tell_progress("1 of 20 after 3 s")
    assert capsys.readouterr().out == ""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    bootstrap.tell_progress("1 of 20 after 3 s")
    assert "1 of 20 after 3 s" in capsys.readouterr().out


def test_a_double_click_asks_nothing_and_lets_nobody_in(monkeypatch):
    started = []
    monkeypatch.delenv("LAN", raising=False)
    monkeypatch.setattr(bootstrap, "ensure", lambda: "python")
    monkeypatch.setattr(bootstrap, "hand_over", lambda *words: started.append((words[2:], os.environ.get("LAN"))))
    monkeypatch.setattr("builtins.input", lambda *prompt: pytest.fail("It asks."))
    bootstrap.start()
    assert started == [(("play", "--open"), None)]
