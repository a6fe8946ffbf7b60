// The table of a match: counters that are selected, the bar, keys, sheets. Comfort only: the page works without this.
"use strict";

const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const boxes = () => all("#table input[name=chosen]:not(:disabled)");
const chosen = () => boxes().filter((box) => box.checked);
const sideOf = (box) => box.closest(".of-side").id;

// The bar says how many of one's own counters are selected: they fire, the enemy's are fired at.
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

// A press takes the fire markers off one's own selected counters.
const withPips = () => chosen().filter((box) => sideOf(box) === ownSide() && box.closest("[data-pips]"));
document.addEventListener("htmx:configRequest", (event) => {
  if (!event.detail.elt.matches("[data-unpip]")) return;
  withPips().forEach((box) => event.detail.formData.append("id", box.value));
});

// What counters bring to an attack as printed on them, "13 FF"; if that is not a number, how many they are.
function addUp(counters, unit) {
  const strengths = counters.map((box) => Number(box.closest(".counter").dataset.ff || 0));
  const sum = strengths.reduce((total, strength) => total + strength, 0);
  return unit && sum ? `${sum} ${unit}` : `· ${counters.length}`;
}

// Cards aim at the enemy place that was chosen first, until another is typed.
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

// Pressing Fire with firers chosen asks for the target; the next tap on a place or a counter names it.
let aiming = null;

function startAiming(button) {
  aiming = button;
  document.body.classList.add("aiming");
  document.getElementById("aim").hidden = false;
  const enemies = all("#table .of-side")[1];
  if (enemies.getBoundingClientRect().top > innerHeight - 240) enemies.scrollIntoView();
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

// A press on a roll that takes firers waits for a target, if there is one to choose.
document.addEventListener("click", (event) => {
  const button = event.target.closest("#rolls [data-sums]");
  if (!button || aiming) return;
  const [own, enemies] = [true, false].map((mine) => boxes().filter((box) => (sideOf(box) === ownSide()) === mine));
  if (!own.some((box) => box.checked) || !enemies.length || enemies.some((box) => box.checked)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  startAiming(button);
}, true);

// A tap on a place's name selects all of its counters, or deselects them; while aiming it is the target.
document.addEventListener("click", (event) => {
  const legend = event.target.closest("#table .place legend");
  if (event.target.closest("[data-unselect]")) clearSelection();
  if (event.target.closest("[data-unaim]")) stopAiming();
  if (!legend) return;
  const placed = all("input[name=chosen]:not(:disabled)", legend.parentElement);
  if (aiming) aimAt(placed);
  else {
    const selects = !placed.every((box) => box.checked);
    placed.forEach((box) => { box.checked = selects; });
  }
  showSelection();
});

// Tapping a counter in an open roll leaves it out: the roll is requested again with the others.
document.addEventListener("click", (event) => {
  const leave = event.target.closest("[data-leave]");
  const box = leave && boxes().find((counterBox) => counterBox.value === leave.dataset.leave);
  if (!box) return;
  box.checked = false;
  showSelection();
  document.querySelector(`#rolls [data-roll="${leave.dataset.of}"]`)?.click();
});

// Tap and hold on a counter opens the sheet to set it by hand.
let holdTimer = 0;
document.addEventListener("pointerdown", (event) => {
  const counter = event.target.closest("#table .counter");
  clearTimeout(holdTimer);
  if (!counter || !document.querySelector("[data-by-hand]")) return;
  holdTimer = setTimeout(() => openByHand(counter), 550);
});
["pointerup", "pointercancel", "pointermove"].forEach((name) => document.addEventListener(name, (event) => {
  if (name !== "pointermove" || Math.hypot(event.movementX, event.movementY) > 6) clearTimeout(holdTimer);
}));
document.addEventListener("contextmenu", (event) => {
  if (event.target.closest("#table .counter")) event.preventDefault();
});

// Letting go of it is not a tap.
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
function isTyping(control) {
  return control && control.matches("input:not([type=checkbox], [type=radio]), select, textarea");
}

function press(key) {
  const control = document.querySelector(`#rolls [data-key="${key}"]`);
  if (!control) return false;
  control.click();
  control.parentElement.querySelector(".panel button")?.focus();
  return true;
}

function nearest(from, controls, key) {
  const centre = (control) => {
    const box = control.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = centre(from);
  const along = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
  let [best, least] = [null, Infinity];
  controls.forEach((control) => {
    const [dx, dy] = [centre(control)[0] - x, centre(control)[1] - y];
    const forward = dx * along[0] + dy * along[1];
    const far = forward + 3 * Math.abs(dx * along[1] + dy * along[0]);
    if (forward > 4 && far < least) [best, least] = [control, far];
  });
  return best;
}

function move(current, key) {
  const menu = current.closest(".panel");
  const controls = menu ? all("button, a", menu) : boxes();
  if (!menu && !current.matches("#table input")) return false;
  nearest(current, controls.filter((control) => control !== current && control.checkVisibility()), key)?.focus();
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
  const current = document.activeElement;
  if (event.key === "Escape") {
    if (!event.defaultPrevented) stepBack();
    return;
  }
  if (isTyping(current) && !(current.matches(".die") && /^[a-z?]$/i.test(event.key))) return;
  const key = event.key.toLowerCase();
  const done = event.key.startsWith("Arrow") ? current && move(current, event.key) : KEYS[key] ? (KEYS[key](), true) : press(key);
  if (done) event.preventDefault();
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-opens=keys]")) document.getElementById("keys").showModal();
});

const [STRIP, BAR] = [44, 56]; // px that lie over the table on top and below

// On a phone, what is on top stays there while a sheet covers the table, and so does its room: the counters that one
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
// By an attribute: the page's policy would not accept a style that htmx has copied.
function holdRoom(desk, height) {
  const room = desk.querySelector(":scope > .room") || document.createElementNS("http://www.w3.org/2000/svg", "svg");
  room.setAttribute("class", "room");
  room.setAttribute("aria-hidden", "true");
  room.setAttribute("height", 0);
  desk.append(room);
  room.setAttribute("height", Math.max(height - desk.offsetHeight, 0));
}
// Counters that are set by hand stand above the sheet, as far as there is room.
function showAbove({ top, bottom }, floor) {
  if (bottom > floor) scrollBy(0, Math.min(bottom - floor, top - STRIP));
}

// Moved counters are brought into sight, unless other places are in sight: the next counters are taken from there.
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

// When counters are redrawn, they stay selected as long as they are visible, and places stay folded.
let standing = null;
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target?.id !== "table") return;
  standing = { chosen: chosen().map((box) => box.value), open: all("#table details").map((fold) => [fold.id, fold.open]) };
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target?.id !== "table" || !standing) return;
  standing.open.forEach(([id, open]) => { const fold = document.getElementById(id); if (fold) fold.open = open; });
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

// If there is room, the whole card is open; what was unfolded stays so when it is redrawn.
const WIDE = matchMedia("(min-width: 60rem)");
let unfoldedCards = [];
function showCards() {
  all("#kept-cards details").forEach((fold) => { fold.open = WIDE.matches || unfoldedCards.includes(fold.id); });
  typeAgain();
  showAim();
}
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  if (event.detail.target.id !== "kept-cards") return;
  unfoldedCards = all("#kept-cards details[open]").map((fold) => fold.id);
  keepTyped();
});

// The place that somebody is typing on a card is kept, with the focus.
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
// The selection is cleared once a roll has been made with it, or it has been set by hand.
document.addEventListener("htmx:afterRequest", (event) => {
  const { requestConfig, successful, xhr } = event.detail;
  if (requestConfig?.verb !== "post" || !successful || xhr.status !== 200) return;
  if (!requestConfig.elt.matches("#desk-form, .by-hand form, [data-unpip]")) return;
  if (!xhr.getResponseHeader("HX-Retarget")) clearSelection();
});
