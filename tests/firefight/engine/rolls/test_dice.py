import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firefight.engine.errors import BadDie, RuleError
from firefight.engine.rolls.dice import check_face, commitment, read_face, rolled_face

DICE = (10, 100)
SEED = b"a seed that never changes"


@pytest.mark.parametrize("sides", DICE)
def test_every_face_of_a_die_is_let_through_unchanged(sides):
    assert [check_face(face, sides) for face in range(1, sides + 1)] == list(range(1, sides + 1))


@pytest.mark.parametrize("sides", DICE)
@pytest.mark.parametrize("beyond", [lambda sides: 0, lambda sides: -1, lambda sides: sides + 1])
def test_a_face_that_the_die_does_not_have_is_refused_and_never_clamped(sides, beyond):
    face = beyond(sides)
    with pytest.raises(BadDie, match=rf"^A d{sides} shows 1 to {sides}; {face} is not on it\.$") as caught:
        check_face(face, sides, "direction_die")
    assert caught.value.die == "direction_die"


@pytest.mark.parametrize("face", [True, 3.0, "3", None])
def test_only_a_whole_number_is_a_face(face):
    with pytest.raises(BadDie):
        check_face(face, 10)


def test_a_bad_die_is_a_rule_error_so_that_a_page_can_show_it():
    assert issubclass(BadDie, RuleError)
    assert issubclass(RuleError, ValueError)


@pytest.mark.parametrize("sides", DICE)
def test_every_face_can_be_typed_as_digits(sides):
    assert [read_face(str(face), sides) for face in range(1, sides + 1)] == list(range(1, sides + 1))


@pytest.mark.parametrize(
    ("text", "sides", "face"),
    [
        ("0", 10, 10),
        (" 0 ", 10, 10),
        ("10", 10, 10),
        ("00", 100, 100),
        ("100", 100, 100),
        ("07", 100, 7),
        ("7\n", 100, 7),
    ],
)
def test_a_die_is_read_as_it_lies_on_the_table(text, sides, face):
    assert read_face(text, sides) == face


def test_a_lone_zero_is_no_percentile_roll_and_the_message_says_what_to_type():
    with pytest.raises(BadDie, match="Type 00 for 100") as caught:
        read_face("0", 100, "second_die")
    assert caught.value.die == "second_die"


@pytest.mark.parametrize("sides", DICE)
@pytest.mark.parametrize(
    "text", ["", " ", "x", "-1", "+1", "1.0", "1 2", "²", "٣", "1e1", "1000", "000", "999", "0007"]
)
def test_anything_else_is_refused(text, sides):
    with pytest.raises(BadDie):
        read_face(text, sides)


@pytest.mark.parametrize(("text", "sides"), [("00", 10), ("11", 10), ("101", 100), ("000", 100)])
def test_digits_of_another_die_are_refused(text, sides):
    with pytest.raises(BadDie, match=f"d{sides}"):
        read_face(text, sides)


@given(st.text(max_size=6), st.sampled_from(DICE))
def test_a_read_die_either_has_the_face_or_is_refused(text, sides):
    try:
        face = read_face(text, sides)
    except BadDie:
        return
    assert 1 <= face <= sides
    assert int(text) in (face, 0)


def test_the_commitment_is_the_published_sha256_of_the_seed():
    # The vector for "abc" of FIPS 180.
    assert commitment(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def slow_face(seed, number, sides):
    """The same face by the description alone: chunks of 32 bits, those at or above the last multiple passed over."""
    tried = 0
    while True:
        digest = hashlib.sha256
        block = hmac.new(seed, b"%d:%d" % (number, tried), digest).hexdigest()
        for place in range(8):
            chunk = int(block[8 * place : 8 * place + 8], 16)
            if chunk // sides < 2**32 // sides:
                return chunk - chunk // sides * sides + 1
        tried += 1


@pytest.mark.parametrize(("sides", "faces"), [(100, [90, 70, 87, 31, 47]), (10, [10, 10, 7, 1, 7])])
def test_a_seed_of_zeros_rolls_what_the_page_about_the_dice_shows(sides, faces):
    seed = bytes(32)
    assert commitment(seed) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    assert [rolled_face(seed, number, sides) for number in range(1, 6)] == faces


@pytest.mark.parametrize("sides", [2, 6, 10, 20, 100])
def test_rolls_are_what_the_description_of_the_dice_says(sides):
    assert [rolled_face(SEED, number, sides) for number in range(1, 200)] == [
        slow_face(SEED, number, sides) for number in range(1, 200)
    ]


def test_chunks_above_the_last_multiple_are_passed_over_also_into_a_second_round():
    # With just over half of 2^32 as sides nearly every second chunk is passed over, so that one
    # roll in 256 needs a second digest.
    sides = 2**31 + 1
    rolls = range(1, 1500)
    assert [rolled_face(SEED, number, sides) for number in rolls] == [
        slow_face(SEED, number, sides) for number in rolls
    ]
    first_digests = [hmac.digest(SEED, b"%d:0" % number, "sha256") for number in rolls]
    passed_over = [
        all(int.from_bytes(digest[at : at + 4], "big") >= sides for at in range(0, 32, 4)) for digest in first_digests
    ]
    assert any(passed_over)


def test_the_first_chunk_that_is_too_high_is_the_last_multiple_itself():
    # A die with as many sides as the first chunk says: that chunk is then the last multiple.
    first = [int.from_bytes(hmac.digest(SEED, b"%d:0" % number, "sha256")[:4], "big") for number in range(1, 40)]
    high = [(number, chunk) for number, chunk in enumerate(first, 1) if chunk > 2**31]
    assert high
    for number, chunk in high:
        assert rolled_face(SEED, number, chunk) == slow_face(SEED, number, chunk) != 1


@given(st.binary(max_size=40), st.integers(0, 10**9), st.integers(1, 100))
def test_a_rolled_face_is_always_on_the_die_and_always_the_same(seed, number, sides):
    face = rolled_face(seed, number, sides)
    assert 1 <= face <= sides
    assert rolled_face(seed, number, sides) == face


@pytest.mark.parametrize(("sides", "limit"), [(10, 27.88), (100, 148.23)])
def test_faces_are_equally_likely(sides, limit):
    # Chi-square against a flat die; the limit is passed by one fair die in a thousand. The seed is fixed.
    rolls = 20_000
    counted = [0] * sides
    for number in range(1, rolls + 1):
        counted[rolled_face(SEED, number, sides) - 1] += 1
    expected = rolls / sides
    assert sum((number - expected) ** 2 / expected for number in counted) < limit
    assert min(counted) > 0


def test_seed_and_number_both_matter():
    faces = [rolled_face(SEED, number, 100) for number in range(1, 41)]
    elsewhere = [rolled_face(SEED + b"!", number, 100) for number in range(1, 41)]
    assert faces != elsewhere
    assert len(set(faces)) > 20
