"""The digest of a line, whatever it holds: the same from values and from what was written of them already."""

import hashlib
import json

from hypothesis import given
from hypothesis import strategies as st

from firefight.engine.chain import line_digest, secret_digest, write_canonical

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
