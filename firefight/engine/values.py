"""What JSON, TOML, forms and records hold, as Python has it before something has read it into a type of its own.

Whoever reads such a table knows what lies in it, or checks; where it is only handed on, its values are ``object``.
"""

from collections.abc import Mapping
from typing import Any

Values = Mapping[str, Any]  # to read
Json = dict[str, Any]  # a new one, to be written
