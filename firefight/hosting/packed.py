"""Compressed files that are written whole or not at all."""

import gzip
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


@contextmanager
def writing_whole(path: Path) -> Iterator[TextIO]:
    """Write a text to a file that only its owner can read. An existing file stays until the new one is complete."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mkstemp gives mode 600
    try:
        with os.fdopen(handle, "wb") as file, gzip.open(file, "wt", encoding="utf-8") as stream:
            yield stream
        os.replace(draft, path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
