// The table of a match: counters that are selected, the bar, keys, sheets. Comfort only: the page works without this.
"use strict";

const tableOf = () => document.getElementById("table");
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const boxes = () => all("#table input[name=chosen]:not(:disabled)");
const chosen = () => boxes().filter((box) => box.checked);
const sideOf = (box) => box.closest(".of-side").id;

// The bar says how many of one's own counters are selected: they fire, the others are shot at.
function ownSide() {
  return all("#table .of-side")[0]?.id;
}

function showSelection() {
  const firers = chosen().filter((box) => sideOf(box) === ownSide());
  all("#rolls [data-sums]").forEach((button) => {
    button.querySelector(".count").textContent = firers.length ? addUp(firers, button.dataset.sums) : "";
  });
  document.getElementById("selection")?.toggleAttribute("hidden", !chosen().length);
  const count = document.querySelector("#selection output b");
  if (count) count.textContent = chosen().length;
  document.querySelector("[data-unpip]")?.toggleAttribute("hidden", !withPips().length);
  showAim();
}

// What one's own selected counters carry for what they have done comes off by a press.
const withPips = () => chosen().filter((box) => sideOf(box) === ownSide() && box.closest("[data-pips]"));
document.addEventListener("htmx:configRequest", (event) => {
  if (!event.detail.elt.matches("[data-unpip]")) return;
  withPips().forEach((box) => event.detail.formData.append("id", box.value));
});

// What counters bring to an attack as it stands on them, "13 FF"; how many they are where that is no number.
function addUp(counters, unit) {
  const strengths = counters.map((box) => Number(box.closest(".counter").dataset.ff || 0));
  const sum = strengths.reduce((one, other) => one + other, 0);
  return unit && sum ? `${sum} ${unit}` : `· ${counters.length}`;
}

// The place of the others that was chosen first is what cards aim at, until another is typed.
let aimed = [];
function showAim() {
  const places = chosen().filter((box) => sideOf(box) !== ownSide()).map((box) => box.closest(".place").dataset.aim).filter(Boolean);
  aimed = [...aimed.filter((place) => places.includes(place)), ...places.filter((place) => !aimed.includes(place))];
  all("#kept-cards input[data-place]").forEach((input) => {
    if (input.value && input.value !== input.dataset.shown) return;
    input.value = input.dataset.shown = aimed[0] || "";
  });
}

function clearSelection() {
  chosen().forEach((box) => { box.checked = false; });
  showSelection();
}

document.addEventListener("change", (event) => {
  if (event.target.matches("#table input[name=chosen]")) {
    if (aiming) aimAt([event.target]);
    showSelection();
  }
});

// Who has chosen firers and presses Fire is asked for the target; the next tap on a place or a counter names it.
let aiming = null;

function startAiming(button) {
  aiming = button;
  document.body.classList.add("aiming");
  document.getElementById("aim").hidden = false;
  const others = all("#table .of-side")[1];
  if (others.getBoundingClientRect().top > innerHeight - 240) others.scrollIntoView();
}

function stopAiming() {
  aiming = null;
  document.body.classList.remove("aiming");
  const prompt = document.getElementById("aim");
  if (prompt) prompt.hidden = true;
}

function aimAt(targets) {
  const button = aiming;
  targets.forEach((box) => { box.checked = true; });
  if (!targets.length || !targets.every((box) => sideOf(box) !== ownSide())) return;
  stopAiming();
  showSelection();
  button.click();
}

// A press on a roll that takes firers waits for a target, where there is one to choose.
document.addEventListener("click", (event) => {
  const button = event.target.closest("#rolls [data-sums]");
  if (!button || aiming) return;
  const [own, others] = [true, false].map((mine) => boxes().filter((box) => (sideOf(box) === ownSide()) === mine));
  if (!own.some((box) => box.checked) || !others.length || others.some((box) => box.checked)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  startAiming(button);
}, true);

// A tap on a place's name takes all of its counters, or lets them go; while aiming it is the target.
document.addEventListener("click", (event) => {
  const legend = event.target.closest("#table .place legend");
  if (event.target.closest("[data-unselect]")) clearSelection();
  if (event.target.closest("[data-unaim]")) stopAiming();
  if (!legend) return;
  const here = all("input[name=chosen]:not(:disabled)", legend.parentElement);
  if (aiming) aimAt(here);
  else {
    const wanted = !here.every((box) => box.checked);
    here.forEach((box) => { box.checked = wanted; });
  }
  showSelection();
});

// A counter of an open roll that is tapped there is left out: the roll is asked for with the others.
document.addEventListener("click", (event) => {
  const leave = event.target.closest("[data-leave]");
  const box = leave && boxes().find((each) => each.value === leave.dataset.leave);
  if (!box) return;
  box.checked = false;
  showSelection();
  document.querySelector(`#rolls [data-roll="${leave.dataset.of}"]`)?.click();
});

// Tap and hold on a counter: by hand.
let held = 0;
document.addEventListener("pointerdown", (event) => {
  const counter = event.target.closest("#table .counter");
  clearTimeout(held);
  if (!counter || !document.querySelector("[data-by-hand]")) return;
  held = setTimeout(() => openByHand(counter), 550);
});
["pointerup", "pointercancel", "pointermove"].forEach((name) => document.addEventListener(name, (event) => {
  if (name !== "pointermove" || Math.hypot(event.movementX, event.movementY) > 6) clearTimeout(held);
}));
document.addEventListener("contextmenu", (event) => {
  if (event.target.closest("#table .counter")) event.preventDefault();
});

// Letting go of it is no tap.
function openByHand(counter) {
  document.addEventListener("pointerup", () => {
    const swallow = (event) => { if (counter.contains(event.target)) event.preventDefault(); };
    counter.addEventListener("click", swallow);
    setTimeout(() => counter.removeEventListener("click", swallow));
  }, { once: true });
  counter.querySelector("input").checked = true;
  showSelection();
  document.querySelector("[data-by-hand]").click();
}

// Keys: a letter for each item of the bar, arrows among counters and in menus.
function isTyping(at) {
  return at && at.matches("input:not([type=checkbox], [type=radio]), select, textarea");
}

function press(key) {
  const control = document.querySelector(`#rolls [data-key="${key}"]`);
  if (!control) return false;
  control.click();
  control.parentElement.querySelector(".panel button")?.focus();
  return true;
}

function nearest(from, others, key) {
  const centre = (each) => {
    const box = each.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = centre(from);
  const along = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
  let [best, least] = [null, Infinity];
  others.forEach((each) => {
    const [dx, dy] = [centre(each)[0] - x, centre(each)[1] - y];
    const forward = dx * along[0] + dy * along[1];
    const far = forward + 3 * Math.abs(dx * along[1] + dy * along[0]);
    if (forward > 4 && far < least) [best, least] = [each, far];
  });
  return best;
}

function move(at, key) {
  const menu = at.closest(".panel");
  const others = menu ? all("button, a", menu) : boxes();
  if (!menu && !at.matches("#table input")) return false;
  nearest(at, others.filter((each) => each !== at && each.checkVisibility()), key)?.focus();
  return true;
}

function stepBack() {
  const close = document.querySelector("#desk [data-closes]");
  if (aiming) stopAiming();
  else if (close) close.click();
  else clearSelection();
}

const KEYS = {
  "?": () => document.getElementById("keys").showModal(),
  t: () => (boxes().find((box) => box.checked) || boxes()[0])?.focus(),
  p: () => document.activeElement.closest("#table .place")?.querySelector("legend").click(),
  n: () => document.querySelector("#turn summary").click(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  const at = document.activeElement;
  if (event.key === "Escape") {
    if (!event.defaultPrevented) stepBack();
    return;
  }
  if (isTyping(at) && !(at.matches(".die") && /^[a-z?]$/i.test(event.key))) return;
  const key = event.key.toLowerCase();
  const done = event.key.startsWith("Arrow") ? at && move(at, event.key) : KEYS[key] ? (KEYS[key](), true) : press(key);
  if (done) event.preventDefault();
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-opens=keys]")) document.getElementById("keys").showModal();
});

const [STRIP, BAR] = [44, 56]; // px that lie over the table on top and below

// What is on top stays there while a sheet lies over the table of a phone, and its room with it: the counters that one
// sets or aims at do not slide away under the finger.
let onTop = null;
document.addEventListener("htmx:beforeSwap", (event) => {
  const { target } = event.detail;
  if (target?.id !== "desk") return;
  onTop = { result: target.querySelector(":scope > :is(.result, .folded-result)"), height: target.offsetHeight };
});
// Until it has settled the new desk has the attributes of the old one.
["htmx:afterSwap", "htmx:afterSettle"].forEach((name) => document.addEventListener(name, (event) => {
  const desk = document.getElementById("desk");
  if (event.detail.target?.id !== "desk" || !onTop || WIDE.matches) return;
  const sheet = desk?.querySelector(":scope > :is(.by-hand, #desk-form:not(.due))");
  if (!sheet || sheet.querySelector(":scope > [name=step]")) return;
  if (onTop.result && !desk.querySelector(".result")) {
    onTop.result.classList.add("stays");
    desk.prepend(onTop.result);
  }
  holdRoom(desk, onTop.height);
  const place = sheet.matches(".by-hand") && chosen()[0]?.closest(".place");
  if (place) showAbove(place.getBoundingClientRect(), sheet.getBoundingClientRect().top);
}));
// By an attribute: a style that htmx copied would be none of ours.
function holdRoom(desk, height) {
  const room = desk.querySelector(":scope > .room") || document.createElementNS("http://www.w3.org/2000/svg", "svg");
  room.setAttribute("class", "room");
  room.setAttribute("aria-hidden", "true");
  room.setAttribute("height", 0);
  desk.append(room);
  room.setAttribute("height", Math.max(height - desk.offsetHeight, 0));
}
// As far as there is room, who is set by hand stands above the sheet.
function showAbove({ top, bottom }, floor) {
  if (bottom > floor) scrollBy(0, Math.min(bottom - floor, top - STRIP));
}

// Who has been moved is brought into sight, unless others of the table are: the next ones are taken from there.
let movedNow = [];
function isInSight(place) {
  const { top, bottom, height } = place.getBoundingClientRect();
  return height && top >= STRIP && bottom <= innerHeight - BAR;
}
document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig } = event.detail;
  if (elt.matches(".by-hand form") && requestConfig.verb === "post") movedNow = all("input[name=id]", elt).map((input) => input.value);
});
function showMoved() {
  const place = boxes().find((box) => movedNow.includes(box.value))?.closest(".place");
  movedNow = [];
  if (place && !all("#table .place").some(isInSight)) place.scrollIntoView({ block: "center" });
}

// Counters that come anew stay selected as long as they are to be seen, and places stay folded.
let standing = null;
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target?.id !== "table") return;
  standing = { chosen: chosen().map((box) => box.value), open: all("#table details").map((each) => [each.id, each.open]) };
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target?.id !== "table" || !standing) return;
  standing.open.forEach(([id, open]) => { const each = document.getElementById(id); if (each) each.open = open; });
  boxes().forEach((box) => { box.checked = standing.chosen.includes(box.value) && box.checkVisibility(); });
  showSelection();
  showMoved();
});
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target, fragment } = event.detail;
  if (target.matches("label.counter")) fragment.querySelector("input").checked = target.querySelector("input").checked;
});

document.addEventListener("DOMContentLoaded", () => {
  showCards();
  showSelection();
});
document.addEventListener("htmx:oobAfterSwap", (event) => {
  if (event.detail.target.id === "kept-cards") showCards();
});

// Where there is room, all of a card stands open; what was unfolded stays so when it comes anew.
const WIDE = matchMedia("(min-width: 60rem)");
let unfoldedCards = [];
function showCards() {
  all("#kept-cards details").forEach((each) => { each.open = WIDE.matches || unfoldedCards.includes(each.id); });
  typeAgain();
  showAim();
}
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  if (event.detail.target.id !== "kept-cards") return;
  unfoldedCards = all("#kept-cards details[open]").map((each) => each.id);
  keepTyped();
});

// The place that somebody is typing on a card stays, with the focus.
let typedPlaces = new Map();
let placeInHand = "";
const placesOfCards = () => all("#kept-cards input[data-place]");
const cardOf = (input) => [input.closest("article").id, input.form.getAttribute("action"), input.name].join(" ");
function keepTyped() {
  const typed = placesOfCards().filter((input) => input.value !== (input.dataset.shown || ""));
  typedPlaces = new Map(typed.map((input) => [cardOf(input), input.value]));
  placeInHand = placesOfCards().includes(document.activeElement) ? cardOf(document.activeElement) : "";
}
function typeAgain() {
  placesOfCards().forEach((input) => {
    input.value = typedPlaces.get(cardOf(input)) || input.value;
    if (cardOf(input) === placeInHand) input.focus({ preventScroll: true });
  });
  placeInHand = "";
}
// What was selected is done with once a roll has been made with it, or a hand has set it.
document.addEventListener("htmx:afterRequest", (event) => {
  const { requestConfig, successful, xhr } = event.detail;
  if (requestConfig?.verb !== "post" || !successful || xhr.status !== 200) return;
  if (!requestConfig.elt.matches("#desk-form, .by-hand form, [data-unpip]")) return;
  if (!xhr.getResponseHeader("HX-Retarget")) clearSelection();
});
