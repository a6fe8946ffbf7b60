// The map's chapters: the slider and the arrow keys scrub through them, Play shows one after another. Comfort only:
// without this file the slider is a form, and there are links.
"use strict";
{
  const PAUSE = 1200;
  const REDRAWN = ["then", "then-beside", "then-pictures", "reel-title"]; // the slider stays where the finger holds it
  let latest = 0;
  let playing = null;

  const reel = () => document.getElementById("reel");
  const slider = () => document.getElementById("reel-at");
  const stands = () => Boolean(slider());

  async function show(place) {
    const form = reel();
    const request = (latest += 1);
    const address = `${form.getAttribute("action")}?chapter=${place}`;
    const answer = await fetch(address, { headers: { Accept: "text/html" } }).catch(() => null);
    if (!answer?.ok || answer.redirected || request !== latest || !stands()) return false;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("then");
    if (request !== latest || !fresh || !stands()) return false;
    for (const id of REDRAWN) {
      const [old, drawn] = [document.getElementById(id), page.getElementById(id)];
      if (!old || !drawn) continue;
      old.replaceWith(drawn);
      htmx.process(drawn);
    }
    dressBoard(); // of static/board.js
    for (const id of ["reel-back", "reel-on"]) {
      const [old, drawn] = [document.getElementById(id), page.getElementById(id)];
      for (const name of ["href", "aria-disabled"]) {
        if (drawn.hasAttribute(name)) old.setAttribute(name, drawn.getAttribute(name));
        else old.removeAttribute(name);
      }
    }
    const fetchedSlider = page.getElementById("reel-at");
    slider().value = fetchedSlider.value;
    slider().setAttribute("value", fetchedSlider.value); // so that this does not count as filling in a form
    slider().setAttribute("aria-valuetext", fetchedSlider.getAttribute("aria-valuetext"));
    history.replaceState(history.state, "", address);
    return true;
  }

  function step(by) {
    const reelSlider = slider();
    const place = Math.min(Math.max(Number(reelSlider.value) + by, 1), Number(reelSlider.max));
    if (place === Number(reelSlider.getAttribute("value"))) return Promise.resolve(false);
    reelSlider.value = place;
    return show(place);
  }

  function stop() {
    clearTimeout(playing);
    playing = null;
    const button = document.getElementById("reel-play");
    if (!button) return;
    button.textContent = "Play";
    button.setAttribute("aria-pressed", "false");
  }

  async function play() {
    const hasMoved = stands() && await step(1);
    if (playing === null) return;
    if (hasMoved) playing = setTimeout(play, PAUSE);
    else stop();
  }

  function dress() {
    if (!stands()) {
      stop();
      return;
    }
    document.getElementById("reel-show").hidden = true;
    document.getElementById("reel-play").hidden = matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  document.addEventListener("input", (event) => {
    if (event.target.id !== "reel-at") return;
    stop();
    show(event.target.value);
  });
  document.addEventListener("click", (event) => {
    const by = { "reel-back": -1, "reel-on": 1 }[event.target.closest("a")?.id];
    if (!by || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation(); // htmx would redraw the whole page, and the focus would be lost
    stop();
    step(by);
  }, true);
  document.addEventListener("click", async (event) => {
    if (!event.target.closest("#reel-play")) return;
    if (playing !== null) {
      stop();
      return;
    }
    playing = 0;
    event.target.textContent = "Pause";
    event.target.setAttribute("aria-pressed", "true");
    if (slider().value === slider().max) {
      slider().value = 1;
      await show(1);
    }
    if (playing !== null) playing = setTimeout(play, PAUSE);
  });
  document.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || !stands() || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (document.activeElement?.matches("input, select, textarea, summary")) return;
    event.preventDefault();
    stop();
    step(by);
  });
  document.addEventListener("DOMContentLoaded", dress);
  document.addEventListener("htmx:afterSettle", dress);
}
