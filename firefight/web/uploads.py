"""Bounds on uploads: one larger than any form of the app takes is refused before it is written anywhere."""

from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler

LARGEST = 8_000_000  # bytes of a whole request: an archive with the form around it


class Bounded(FileUploadHandler):
    """Checks the length that a request announces; it cannot be longer than that."""

    def handle_raw_input(
        self, input_data: object, META: object, content_length: int, *args: object, **options: object
    ) -> None:
        if content_length > LARGEST:
            raise RequestDataTooBig(f"A file may have at most {LARGEST} bytes.")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None
