"""How much of the app says nothing about its types: ``Any`` stands where JSON comes in, or a library gives no more."""

import tokenize

from .test_imports import ROOT, house_files

MOST = 299  # it falls, and never rises; firefight/engine/values.py names what comes in as JSON


def count_any(path):
    """How often a module says Any outside of its imports, docstrings and comments."""
    if "Any" not in path.read_text(encoding="utf-8"):
        return 0
    with tokenize.open(path) as source:
        tokens = list(tokenize.generate_tokens(source.readline))
    imports = {token.start[0] for token in tokens if token.string in ("from", "import") and token.start[1] == 0}
    return sum(token.string == "Any" and token.start[0] not in imports for token in tokens)


def test_any_becomes_rarer():
    counts = {path.relative_to(ROOT): number for path in house_files() if (number := count_any(path))}
    assert 0 < sum(counts.values()) <= MOST, sorted(counts.items(), key=lambda item: -item[1])[:20]


def test_only_types_are_counted(tmp_path):
    module = tmp_path / "module.py"
    module.write_text('"""Any word."""\n\nfrom typing import Any\n\n# Any time\nvalue: Any = "Any"\n', encoding="utf-8")
    assert count_any(module) == 1
