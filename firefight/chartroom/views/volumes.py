"""What every room does with what is on its shelf: shows, copies, types in, renames, lends and removes it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from firefight.chartroom import files, shelf
from firefight.chartroom.drafts import Volume
from firefight.chartroom.sheets import SheetVolume
from firefight.chartroom.shelf import Full, Moved, NoBook, Unready
from firefight.chartroom.typing import BadPost, TypedPart, edit
from firefight.engine.charts import tables
from firefight.engine.charts.tables import BadSheet
from firefight.engine.text import cut_off
from firefight.models import OnShelf
from firefight.web import answers
from firefight.web.requests import htmx_of, number_in

STALE = "This was changed from another page since this one was drawn. Nothing was saved: load it again, then go on."
MOST_TOLD = 60  # problems of a book or a file


def shelved(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page of a book that may not be there, or not for this browser; it stays in no cache."""

    def guarded(request: HttpRequest, **parts: object) -> HttpResponse:
        try:
            response = view(request, **parts)
        except NoBook:
            raise Http404("There is no such book on your shelf.") from None
        response["Cache-Control"] = "no-store"
        return response

    return guarded


# What every room does with what is on its shelf


def serve_shelf(
    request: HttpRequest,
    draw: Callable[..., HttpResponse],
    take_in: "Callable[[HttpRequest, UploadedFile[bytes]], Any]",
    bad_file: type[Any],
    name_page: Callable[[OnShelf], str],
) -> HttpResponse:
    """The page of a shelf: shown, and a posted file taken in; ``name_page`` gives the name of its own page's address.

    ``take_in`` may raise Full and ``bad_file``, whose ``problems`` say what is wrong with the file.
    """
    if request.method == "GET":
        return draw(request)
    sent = request.FILES.get("file")
    if sent is None:
        return draw(request, ["Choose a file first, TOML or JSON."], 422)
    try:
        row = take_in(request, sent)
        return redirect(name_page(row), row.pk)
    except bad_file as error:
        return draw(request, ["Nothing was taken in. Mend this first:", *list_problems(error.problems)], 422)
    except Full as error:
        return draw(request, [str(error)], 422)


@dataclass(frozen=True)
class VolumePage:
    """The page of one volume: how it is found, drawn and copied; what its owner can do; addresses by name.

    ``acts`` may raise BadPost, Moved and Unready. ``address``, ``shelf``: the page itself, and that of the shelf.
    """

    find: Callable[[HttpRequest, str], Any]
    draw: Callable[..., HttpResponse]
    copy: Callable[[HttpRequest, Any], Any]
    acts: Mapping[str, Callable[[HttpRequest, Any], None]]
    address: str
    shelf: str


def serve_volume(request: HttpRequest, ref: str, page: VolumePage) -> HttpResponse:
    """The page of a volume: shown, copied by anybody who may see it, changed by its owner."""
    volume, do = page.find(request, ref), request.POST.get("do", "")
    if request.method == "GET":
        return page.draw(request, volume)
    act = page.acts.get(do) if volume.mine else None
    try:
        if do == "copy":
            return redirect(page.address, page.copy(request, volume).pk)
        if act is None:
            return page.draw(request, volume, "That cannot be done with this one.", 403)
        act(request, volume)
    except Moved:
        return page.draw(request, page.find(request, ref), STALE, 409)
    except Unready:
        return page.draw(request, volume, "Some cells still need mending; nothing was stored.", 422)
    except (Full, BadPost) as error:
        return page.draw(request, volume, str(error), 422)
    return redirect(page.shelf) if do == "remove" else redirect(page.address, ref)


def serve_part(
    request: HttpRequest,
    part: TypedPart,
    draw: Callable[..., HttpResponse],
    find_again: Callable[[], object],
    volume: Any,
    address: str,
) -> HttpResponse:
    """The page of a part that is typed: shown, or what was posted typed in. ``find_again``: its volume, as kept."""
    if request.method == "GET":
        return draw(volume)
    try:
        at = edit(request, part)
    except Moved:
        return draw(find_again(), STALE, 409)
    except (BadSheet, BadPost) as error:
        return draw(find_again(), str(error), 422)
    return draw(volume) if htmx_of(request) else redirect(address + (f"?at={at[0]}-{at[1]}" if at else ""))


def send_file(plain: Mapping[str, object], form: str, name: str) -> HttpResponse:
    """Plain values as a file to keep: "toml" or "json"."""
    write, kind = (files.as_toml, "application/toml") if form == "toml" else (files.as_json, "application/json")
    return answers.send_file(write(plain), f"{kind}; charset=utf-8", f"{name}.{form}", is_kept=True)


def rename(request: HttpRequest, volume: Any) -> None:
    """Give an own draft another name. Raises BadPost, Moved."""
    name = " ".join(request.POST.get("name", "").split())
    if not shelf.is_name(name):
        raise BadPost(f"A name has 1 to {shelf.MOST_NAME} characters, none of them a control character.")
    shelf.save_draft(volume.own_draft, number_in(request, "revision") or 0, name=tables.clean_text(name))


def remove_of(users: str) -> Callable[[HttpRequest, Any], None]:
    """The act that takes an own draft off the shelf. ``users``: who keeps the versions made of it."""

    def remove(request: HttpRequest, volume: Any) -> None:
        if request.POST.get("sure") != "on":
            raise BadPost(f"Tick “remove it for good” first. {users} keep the versions that they use.")
        volume.own_draft.delete()

    return remove


def _lend(request: HttpRequest, volume: Volume | SheetVolume) -> None:
    request.session["shared_link"] = {volume.ref: shelf.share(volume.own_draft)}


def _stop_lending(request: HttpRequest, volume: Volume | SheetVolume) -> None:
    shelf.unshare(volume.own_draft)


LENDING = {"share": _lend, "unshare": _stop_lending}


def find_new_link(request: HttpRequest, volume: Volume | SheetVolume, address: str) -> str:
    """The read-only link to an own draft, on the page that follows once it was made; "" on any other."""
    token = request.session.pop("shared_link", {}).get(volume.ref) if volume.mine else None
    return request.build_absolute_uri(reverse(address, args=[token])) if token else ""


def list_problems(problems: Sequence[object]) -> list[str]:
    """What is wrong, as many lines as a page shows."""
    return cut_off([str(problem) for problem in problems], MOST_TOLD)
