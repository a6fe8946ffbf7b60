"""The digest of a line, whatever it holds: the same from values and from what was written of them already."""

import hashlib
import json

from hypothesis import given
from hypothesis import strategies as st

from firefight.engine.chain import chain_flaws, is_hidden_roll, line_digest, secret_digest, withhold, write_canonical

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
LINES = st.fixed_dictionaries(
    {"number": st.integers(0, 10**6), "kind": st.sampled_from(["roll", "note"]), "sentence": st.text(max_size=20)},
    optional={"inputs": JSON, "result": JSON, "about": st.none() | st.integers(), "voids": st.lists(st.integers())},
)


def digest_in_words(previous, line):
    """As docs/dice.md says it: SHA-256 of the JSON of the digest before and of the line with all its names."""
    blank = dict.fromkeys(("kind", "side", "at", "sentence", "secret_digest", "helper", "app"), "")
    whole = {**blank, "number": 0, "inputs": {}, "result": None, "rolls": [], "about": None, "voids": [], **line}
    text = json.dumps([previous, whole], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@given(st.none() | st.just("") | st.text("0123456789abcdef", min_size=64, max_size=64), LINES)
def test_a_line_is_digested_as_the_docs_say_whatever_was_written_of_it_before(previous, line):
    expected = digest_in_words(previous, line)
    assert line_digest(previous, line) == expected
    written = {name: write_canonical(line[name]) for name in ("inputs", "result", "rolls") if name in line}
    rest = {name: value for name, value in line.items() if name not in written}
    assert line_digest(previous, rest, written) == expected


@given(LINES, st.sampled_from(["", "a gun in L8"]))
def test_what_is_sealed_is_digested_with_all_that_belongs_to_it_as_the_docs_say(line, secret):
    inputs = line.get("inputs", {})
    if line["kind"] == "roll":
        inputs = {"inputs": inputs, "result": line.get("result"), "rolls": []}
    text = json.dumps(["salt", secret, inputs if secret else {}], sort_keys=True, separators=(",", ":"))
    assert secret_digest("salt", {**line, "secret": secret}) == hashlib.sha256(text.encode()).hexdigest()


def test_unseen_dice_are_digested_with_the_words_that_they_belong_to():
    drawn = {"die": "block", "label": "Block", "sides": 24, "face": 8, "source": "app", "number": 1, "unseen": True}
    line = {"number": 1, "kind": "record", "salt": "salt", "secret": "A tank.", "rolls": [drawn]}
    line["secret_digest"] = secret_digest("salt", line)
    line["digest"] = line_digest("", line)
    other = {name: value for name, value in withhold(line).items() if name not in ("salt", "secret")}
    assert [roll["face"] for roll in other["rolls"]] == [0] and is_hidden_roll(other) and not is_hidden_roll(line)
    assert not [*chain_flaws([line], line["digest"]), *chain_flaws([other], line["digest"])]
    forged = {**line, "rolls": [{**drawn, "face": 9}]}
    assert [*chain_flaws([forged], line["digest"])] == ["Line 1: its sealed words are not those that were sealed."]
