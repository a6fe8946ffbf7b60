#!/usr/bin/env python3
"""Name the stylesheets that cssbeautifier would lay out differently: one declaration a line.

With --write they are laid out.
"""

import sys
from pathlib import Path

import cssbeautifier

STYLES = Path(__file__).resolve().parent.parent / "static" / "css"


def lay_out(css: str) -> str:
    """The same rules, laid out."""
    options = cssbeautifier.default_options()
    options.indent_size = 2
    options.end_with_newline = True
    return str(cssbeautifier.beautify(css, options))


def main() -> int:
    """Check all of them; 1 if one was not laid out."""
    untidy = [
        path for path in sorted(STYLES.glob("*.css")) if path.read_text("utf-8") != lay_out(path.read_text("utf-8"))
    ]
    for path in untidy:
        print(f"{path.name} is not laid out: python scripts/check_css.py --write")
        if "--write" in sys.argv:
            path.write_text(lay_out(path.read_text("utf-8")), "utf-8")
    return 1 if untidy and "--write" not in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
