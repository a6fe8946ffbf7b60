"""Words and numbers as parts of a sentence."""

import re
from collections.abc import Iterable, Sequence


def join_words(words: Iterable[str], last: str = "and") -> str:
    """Words as a sentence lists them.

    >>> join_words(["x"]), join_words(["x", "y"]), join_words(["x", "y", "z"], "or")
    ('x', 'x and y', 'x, y or z')
    """
    *head, final = [*words] or [""]
    return f"{', '.join(head)} {last} {final}" if head else final


def split_runs(numbers: Iterable[int]) -> list[list[int]]:
    """Numbers in order, parted where the next one does not follow.

    >>> split_runs([7, 4, 5, 9, 8])
    [[4, 5], [7, 8, 9]]
    """
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def join_numbers(numbers: Iterable[int]) -> str:
    """Numbers in order as a sentence lists them, runs of four or more drawn together.

    >>> join_numbers([5, 12, 13]), join_numbers([4, 5, 7, 8, 9, 10])
    ('5, 12 and 13', '4, 5 and 7 to 10')
    """
    parts: list[str] = []
    for run in split_runs(numbers):
        parts += [f"{run[0]} to {run[-1]}"] if len(run) > 3 else map(str, run)
    return join_words(parts)


def count_of(number: int, noun: str, several: str = "") -> str:
    """A number with its noun. ``several``: the plural where it is not made with an "s".

    >>> count_of(1, "roll"), count_of(0, "roll"), count_of(2, "die", "dice")
    ('1 roll', '0 rolls', '2 dice')
    """
    return f"{number} {noun if number == 1 else several or noun + 's'}"


def cut_off(sentences: Sequence[str], most: int) -> list[str]:
    """The first of many sentences, and how many more there are.

    >>> cut_off(["One.", "Two.", "Three."], 2), cut_off(["One."], 2)
    (['One.', 'Two.', 'And 1 more.'], ['One.'])
    """
    more = [f"And {len(sentences) - most} more."] if len(sentences) > most else []
    return [*sentences[:most], *more]


def capitalize(text: str) -> str:
    """The text with a capital at its beginning, and all else as it was: names keep theirs.

    >>> capitalize("rifle squad #2 of A Company"), capitalize("")
    ('Rifle squad #2 of A Company', '')
    """
    return text[:1].upper() + text[1:]


def without_capital(words: str, names: tuple[str, ...] = ()) -> str:
    """Words in the middle of a line; codes and what begins with one of the names keep their capitals.

    >>> without_capital("No effect"), without_capital("C/M"), without_capital("An NCO")
    ('no effect', 'C/M', 'an NCO')
    >>> without_capital("German attacker", ("German",))
    'German attacker'
    """
    is_code = words.partition(" ")[0][1:].lower() != words.partition(" ")[0][1:] or len(words) < 2
    return words if is_code or words.startswith(names) else words[0].lower() + words[1:]


def fold(text: str) -> str:
    """A word or name as it is compared: its letters and digits, in any case.

    >>> fold("T-34 dug in") == fold("t_34_dug_in")
    True
    """
    return re.sub(r"[\W_]+", "", text.casefold())
