"""Joining words and numbers into the parts of a sentence."""

import re
from collections.abc import Iterable


def join_words(words: Iterable[str], last: str = "and") -> str:
    """Words as a sentence lists them.

    >>> join_words(["x"]), join_words(["x", "y"]), join_words(["x", "y", "z"], "or")
    ('x', 'x and y', 'x, y or z')
    """
    *others, final = [*words] or [""]
    return f"{', '.join(others)} {last} {final}" if others else final


def join_numbers(numbers: Iterable[int]) -> str:
    """Numbers in order, those that follow each other as a stretch.

    >>> join_numbers([1, 2, 3, 5]), join_numbers([7, 8]), join_numbers([])
    ('1 to 3 and 5', '7 and 8', '')
    """
    stretches: list[list[int]] = []
    for number in sorted(set(numbers)):
        if stretches and number == stretches[-1][-1] + 1:
            stretches[-1].append(number)
        else:
            stretches.append([number])
    parts: list[str] = []
    for each in stretches:
        parts += [f"{each[0]} to {each[-1]}"] if len(each) > 2 else map(str, each)
    return join_words(parts)


def count_of(number: int, what: str, several: str = "") -> str:
    """A number of things.

    >>> count_of(1, "roll"), count_of(0, "roll"), count_of(2, "die", "dice")
    ('1 roll', '0 rolls', '2 dice')
    """
    return f"{number} {what if number == 1 else several or what + 's'}"


def fold(text: str) -> str:
    """A word or name as it is compared: its letters and digits, in any case.

    >>> fold("T-34 dug in") == fold("t_34_dug_in")
    True
    """
    return re.sub(r"[\W_]+", "", text.casefold())
