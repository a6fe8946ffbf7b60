// Comfort only: every page works without this file.
"use strict";

// Forms carry the match version they were drawn from. When news arrives, the visible forms are brought up to date.
function syncVersion() {
  const live = document.getElementById("live");
  if (!live) return;
  for (const [name, value] of Object.entries({ version: live.dataset.version, after: live.dataset.after })) {
    document.querySelectorAll(`input[name=${name}]`).forEach((input) => { input.value = value; });
  }
}

// Two answers may bring the same line of the log: it is shown once.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  event.detail.fragment.querySelectorAll(".line[id]").forEach((line) => {
    const shownLine = document.getElementById(line.id);
    if (!shownLine || shownLine === event.detail.target) return;
    shownLine.replaceWith(line);
    htmx.process(line);
  });
});

// A poll neither starts nor answers while another request is under way, whose answer brings newer news.
let underway = 0;
document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, target, xhr } = event.detail;
  if (document.hidden && elt.getAttribute("hx-trigger")?.startsWith("every") && !isCallDue(elt)) {
    event.preventDefault(); // nobody is looking: it asks again once somebody does
    return;
  }
  if (elt.id === "watch" || elt.id === "hands") return; // they bring no page, only notice of news
  if (elt.id !== "live" && elt.id !== "refresh") {
    underway += 1;
    xhr.addEventListener("loadend", () => { underway -= 1; });
  } else if (underway) {
    event.preventDefault();
  } else {
    const hush = (answer) => {
      if (answer.detail.xhr !== xhr) return;
      if (underway || !target.isConnected || (elt.id === "refresh" && isInUse())) answer.detail.shouldSwap = false;
    };
    target.addEventListener("htmx:beforeSwap", hush);
    xhr.addEventListener("loadend", () => target.removeEventListener("htmx:beforeSwap", hush));
  }
});

// What is asked for, or else why something was refused, comes into sight and takes the focus, wherever that is.
function findAsked(part) {
  const blank = [...part.querySelectorAll(".asked input")].find((input) => !input.value);
  // Cells of a sheet are marked while it is being typed, whatever was refused.
  return part.querySelector("[aria-invalid=true]:not(#grid *), .die-input input[aria-describedby]") || blank || findWanted(part)
    || [...part.querySelectorAll("[data-first]")].find((input) => !input.value); // what a look-up is about
}

// What a sheet lacks is named at its button, with a link to the field.
function findWanted(part) {
  const field = document.getElementById(part.querySelector("#odds .wanted a")?.hash.slice(1));
  return field?.matches("fieldset") ? field.querySelector("input:not([type=hidden]), select") : field;
}
document.addEventListener("click", (event) => {
  const field = event.target.closest("#odds .wanted a") && findWanted(document);
  if (!field) return;
  event.preventDefault();
  bringIntoSight(field);
});

function findRefusal(part) {
  return findAsked(part) || part.querySelector(".trouble[role=alert], #trouble");
}

function bringIntoSight(node) {
  if (!node.matches("input, select, textarea, button, a[href], [tabindex]")) node.tabIndex = -1;
  node.closest("details:not([open])")?.setAttribute("open", "");
  node.focus({ preventScroll: true });
  if (node.closest(".with-board")) return void node.scrollIntoView({ block: "nearest" }); // its board stays in view
  const { top, bottom, height } = node.getBoundingClientRect();
  const low = node.matches("input, select, textarea") ? bottom + height : bottom; // the button below it, too
  const foot = node.closest("form")?.querySelector(":scope > .pinned");
  if (foot?.contains(node) && top > 0 && bottom < window.innerHeight) return; // it stays in sight by itself
  const floor = foot && !foot.contains(node) ? foot.getBoundingClientRect().top : window.innerHeight;
  if (top < height || low > floor) node.scrollIntoView({ block: height > window.innerHeight / 2 ? "start" : "center" });
}

document.addEventListener("DOMContentLoaded", () => {
  const main = document.getElementById("main");
  if (main.querySelector(".trouble[role=alert]")) bringIntoSight(findRefusal(main));
  else if (main.querySelector("#desk.over, #main > #desk") && !document.getElementById("result")) focusSheet();
});

// A sheet that has opened: what is asked for, or else the die, or the button.
function focusSheet() {
  const form = document.getElementById("desk-form");
  const start = form && (findAsked(form) || form.querySelector("input.die") || form.querySelector(".pinned button"));
  if (start) bringIntoSight(start);
}

// A field that matters only with some choices in another is hidden with the rest, unless it says something.
function showNeeded() {
  document.querySelectorAll("form [data-with]").forEach((part) => {
    const [name, ...choices] = part.dataset.with.split(" ");
    const control = part.querySelector("input, select");
    part.hidden = !choices.includes(part.closest("form").elements[name]?.value) && (control.type === "radio" || (!isFilledIn(control) && !says(control)));
  });
  document.querySelectorAll("form [data-with][hidden] > input:checked").forEach((control) => {
    const choice = control.form.querySelector(`[data-with]:not([hidden]) > input[name="${control.name}"]`);
    if (choice) choice.checked = true;
  });
}
function says(control) {
  if (control.tagName === "SELECT" && control.selectedIndex < 1) return false; // as it begins
  return control.type === "checkbox" ? control.checked : !["", "0"].includes(control.value);
}
["change", "htmx:oobAfterSwap", "htmx:afterSettle"].forEach((name) => document.addEventListener(name, showNeeded));

// Bars that were opened stay open when the odds are redrawn, and the focus stays on their line.
let bars = { areOpen: false, focused: false };
document.addEventListener("htmx:beforeSwap", (event) => {
  const { target } = event.detail;
  if (target?.id !== "odds") return;
  bars = { areOpen: Boolean(target.querySelector("details[open]")), focused: target.contains(document.activeElement) };
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target?.id !== "odds") return;
  const line = document.querySelector("#odds details");
  line?.toggleAttribute("open", bars.areOpen);
  if (bars.focused) line?.querySelector("summary").focus({ preventScroll: true });
});

// On a page opened at an anchor, a form may be refused elsewhere on the page.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, requestConfig, pathInfo } = event.detail;
  if (requestConfig?.verb === "post" && xhr.status >= 400 && pathInfo) pathInfo.anchor = null;
});

document.addEventListener("htmx:oobAfterSwap", syncVersion);
document.addEventListener("htmx:afterSettle", (event) => {
  syncVersion();
  const desk = document.getElementById("desk");
  // There is no target when Back brings a page. A form that was not resolved comes alone.
  // The id property of a form with a field called "id" is that field.
  if (!desk || !["desk", "desk-form"].includes(event.detail.target?.getAttribute("id"))) return;
  const config = event.detail.requestConfig;
  const posted = config && config.verb === "post";
  const changed = posted && config.parameters.more;
  const row = changed && desk.querySelector(`[name^="${changed.split("-")[0]}-new-"]`);
  const problem = posted ? findRefusal(desk) : findAsked(desk);
  const result = desk.querySelector("#result:not(.stays *)");
  const dice = [...desk.querySelectorAll("input.die")].filter((input) => !input.closest(".own-dice:not([open])"));
  const die = dice.find((input) => !input.value) || dice[0];
  // An act other than a roll, such as the end of an impulse, leaves the last result and may bring the next die.
  const isAside = event.detail.xhr?.getResponseHeader("HX-Reswap") === "none";
  const rolled = posted && !isAside && result && event.detail.target.getAttribute("id") === "desk" && !desk.querySelector(".notice[role=status]");
  const focus = row || problem || (rolled ? result : die) || desk.querySelector("#step-form .question") || desk.querySelector(".pinned button, button:not(.stays *)");
  // After setting counters by hand one goes on at the table, wherever that is.
  if (posted && !problem && config.elt.matches(".by-hand form, [data-unpip]")) focus?.focus({ preventScroll: true });
  else if (focus) bringIntoSight(focus);
});

// A press counts even if an answer that came in the middle of it has moved the button away from under the pointer:
// the browser then reports a click on whatever holds both places. Moving the pointer means second thoughts.
let pressed = null;
document.addEventListener("pointerdown", (event) => {
  pressed = { control: event.target.closest("button, a, summary, label"), x: event.clientX, y: event.clientY };
}, true);
document.addEventListener("click", (event) => {
  const { control, x, y } = pressed || {};
  pressed = null;
  if (!control?.isConnected || control.contains(event.target)) return;
  if (Math.hypot(event.clientX - x, event.clientY - y) > 4) return;
  event.preventDefault();
  event.stopPropagation();
  control.click();
}, true);

// Menus that drop down from the top line close by Escape, and once something else is pressed.
// They get a press before listeners that stop it, such as the bar's.
document.addEventListener("click", (event) => {
  document.querySelectorAll("details.drop[open]").forEach((menu) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
}, true);
document.addEventListener("click", (event) => {
  const menu = event.target.closest("#rolls .panel button")?.closest("details.drop");
  if (menu) menu.open = false;
});
// What unfolds at the foot of a menu comes into sight with its button.
document.addEventListener("toggle", (event) => {
  if (event.target.matches?.("details.drop details[open]")) event.target.scrollIntoView({ block: "nearest" });
}, true);
document.addEventListener("keydown", (event) => {
  const open = event.key === "Escape" && !document.querySelector("dialog[open]") && document.querySelector("details.drop[open]");
  if (!open) return;
  event.preventDefault(); // the table steps back only if nothing was open
  open.open = false;
  open.querySelector("summary").focus();
});

// The current tab is in sight, in a row that scrolls.
function showTab() {
  const tab = document.querySelector(".tabs [aria-current]");
  const row = tab?.closest(".tabs");
  if (row) row.scrollLeft = tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
}
document.addEventListener("DOMContentLoaded", showTab);
document.addEventListener("htmx:afterSettle", (event) => { if (event.detail.target?.id === "ledger") showTab(); });

// Digits go to the first empty die wherever the focus is, Enter resolves.
document.addEventListener("keydown", (event) => {
  const form = document.getElementById("desk-form");
  if (!form || event.ctrlKey || event.altKey || event.metaKey) return;
  const current = document.activeElement;
  if (current && current.matches("input:not([type=checkbox], [type=radio]), select, textarea")) return;
  if (/^[0-9]$/.test(event.key)) {
    const dice = [...form.querySelectorAll("input.die")];
    const die = dice.find((input) => !input.value) || dice[0];
    if (die) die.focus();
  } else if (event.key === "Enter" && !(current && current.matches("input, button, a, summary"))) {
    event.preventDefault();
    const button = form.querySelector("button.main");
    if (button) form.requestSubmit(button);
  }
});

// A digit that no longer fits a die goes to the next one: three dice are three keys.
document.addEventListener("beforeinput", (event) => {
  const die = event.target;
  if (!die.matches("input.die[data-sides]") || !die.value || !/^[0-9]$/.test(event.data || "")) return;
  const { sides } = die.dataset;
  const text = die.value + event.data;
  if (die.selectionStart !== die.value.length || text === sides || text.length < sides.length) return;
  const dice = [...die.form.querySelectorAll("input.die")];
  const next = dice.slice(dice.indexOf(die) + 1).find((input) => !input.value);
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.value = event.data;
  next.dispatchEvent(new Event("input", { bubbles: true }));
});

// A number or a place that is filled in already is typed over, not into.
let tapped = null;
function selectPrefilled(control) {
  if (control.matches?.("input[inputmode], input[type=number], input[autocapitalize=characters]") && control.value && control.value === control.defaultValue) control.select();
}
document.addEventListener("pointerdown", (event) => { tapped = event.target === document.activeElement ? null : event.target; }, true);
document.addEventListener("focusin", (event) => selectPrefilled(event.target));
document.addEventListener("click", (event) => {
  if (event.target === tapped) selectPrefilled(tapped); // the tap has set the caret
  tapped = null;
});

// A page of the ledger is reloaded when the other side has acted, unless somebody is filling in a form on it, or
// reading why an act was refused.
function isFilledIn(control) {
  if (!control.matches("input, select, textarea")) return false;
  if (control.type === "checkbox" || control.type === "radio") return control.checked !== control.defaultChecked;
  if (control.tagName === "SELECT") {
    const start = [...control.options].findIndex((option) => option.defaultSelected);
    return control.selectedIndex !== Math.max(start, 0);
  }
  return control.type !== "hidden" && control.value !== control.defaultValue;
}

function isInUse() {
  const controls = document.querySelectorAll("#ledger input, #ledger select, #ledger textarea");
  if (!document.getElementById("trouble") && ![...controls].some(isFilledIn)) return false;
  document.getElementById("waiting-news").hidden = false;
  return true;
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.elt.id === "refresh" && isInUse()) event.preventDefault();
});

// After two hasty taps the page shows what was tapped last; the first answer would take the second one's place.
// But a refusal is shown, with what was typed.
let latest = null;
function isTapped(detail) {
  return detail.target?.id === "ledger" && !["watch", "refresh"].includes(detail.requestConfig?.elt.id);
}
document.addEventListener("htmx:beforeRequest", (event) => {
  if (!isTapped(event.detail)) return;
  latest = event.detail.xhr;
  if (event.detail.requestConfig.verb === "post") watchRefusal(event.detail);
});
document.addEventListener("htmx:beforeSwap", (event) => {
  const { requestConfig, xhr } = event.detail;
  if (!isTapped(event.detail) || xhr === latest) return;
  event.detail.shouldSwap = false;
  if (requestConfig.verb !== "post" || xhr.status < 400 || !xhr.responseText.includes('id="trouble"')) return;
  latest = xhr;
  event.detail.shouldSwap = true;
});

// If the page has already gone, the refusal is shown at the foot of the window.
function watchRefusal({ target, xhr }) {
  let isGone = false;
  xhr.addEventListener("readystatechange", () => { isGone ||= xhr.readyState === XMLHttpRequest.DONE && !target.isConnected; });
  xhr.addEventListener("loadend", () => {
    if (!isGone || xhr.status < 400) return;
    const trouble = new DOMParser().parseFromString(xhr.responseText, "text/html").getElementById("trouble");
    tellRefused(`Not done: ${trouble ? trouble.textContent.trim().replace(/\s+/g, " ") : "go back, and look."}`);
  });
}

// What somebody has unfolded stays so when the page is redrawn.
let unfolded = [];
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target?.id !== "ledger") return;
  unfolded = [...document.querySelectorAll("#ledger details[open][id]")].map((fold) => fold.id);
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target?.id !== "ledger") return;
  unfolded.map((id) => document.getElementById(id)).forEach((fold) => { if (fold) fold.open = true; });
});

document.addEventListener("htmx:afterSettle", (event) => {
  const config = event.detail.requestConfig;
  if (event.detail.target?.id !== "ledger" || !config || config.verb !== "post") return;
  const problem = findRefusal(document.getElementById("ledger"));
  const focus = problem || document.getElementById("now") || document.getElementById("placing-head");
  if (problem) bringIntoSight(problem);
  else focus?.focus({ preventScroll: true });
});

// The desk follows the match, unless somebody is filling in a form there: then a bar says what is new.
function isDeskInUse() {
  const form = document.getElementById("desk-form");
  const controls = document.querySelectorAll("#desk :is(input, select, textarea)");
  return Boolean(form && "sent" in form.dataset) || [...controls].some(isFilledIn);
}

// A roll that somebody has chosen, or the sheet to set counters by hand, gives way to a due roll, but not to an empty
// desk.
function isOpened(fragment) {
  const form = document.getElementById("desk-form");
  const opened = form ? !form.elements.step : document.querySelector("#desk .by-hand");
  const goesOn = document.getElementById("live")?.hasAttribute("hx-get");
  return Boolean(opened && goesOn && !fragment.querySelector("#desk-form"));
}

function keepDesk(event) {
  const { target, fragment } = event.detail;
  if (target.id !== "desk") return;
  if (!isDeskInUse() && !isOpened(fragment)) return;
  event.detail.shouldSwap = false;
  if (isDeskInUse()) showDeskNews();
}

function showDeskNews() {
  const bar = document.getElementById("desk-news");
  bar.querySelector("span").textContent = document.querySelector("#log-rows .line p").textContent;
  bar.hidden = false;
}

function hideDeskNews(event) {
  const bar = document.getElementById("desk-news");
  if (bar && event.detail.target?.id === "desk" && event.detail.shouldSwap !== false) bar.hidden = true;
}

// If somebody opens a roll and types at once, the same roll arriving a moment later must not replace it.
function keepSameRoll(event) {
  const { target, requestConfig, xhr } = event.detail;
  if (target?.id !== "desk" || requestConfig?.verb !== "get" || !isDeskInUse()) return;
  const step = document.getElementById("desk-form")?.elements.step?.value;
  if (step && xhr.responseText.includes(`name="step" value="${step}"`)) event.detail.shouldSwap = false;
}

document.addEventListener("htmx:oobBeforeSwap", keepDesk);
document.addEventListener("htmx:beforeSwap", keepSameRoll);
document.addEventListener("htmx:oobAfterSwap", hideDeskNews);
document.addEventListener("htmx:afterSwap", hideDeskNews);

// What was typed before this file was loaded has not asked for odds yet.
document.addEventListener("DOMContentLoaded", () => {
  const parts = [...document.querySelectorAll("#desk-form .inputs[hx-post]")];
  const typed = parts.find((inputs) => [...inputs.querySelectorAll("input, select, textarea")].some(isFilledIn));
  if (typed) htmx.trigger(typed, "change");
});

// What could not be sent is reported at the foot of the window, wherever one has scrolled.
const POLLS = ["live", "watch", "refresh"];
let unsent = null; // the element whose request failed, or the bar itself

function describeFailure(type, status, verb) {
  if (type === "htmx:timeout") return "No answer came in time.";
  if (type === "htmx:sendError") return verb === "get" ? "No connection." : "Not sent: no connection.";
  if (status === 413) return "Not sent: that is too large.";
  if (status === 429) return "Not done: that is too much for an hour. Try again later.";
  if (status === 503) return "Not done: the app is busy or away just now.";
  if (status >= 500) return "Not done: something broke on our side.";
  return `Not done: the app answered ${status}. Reload the page.`;
}

function describeKept(elt) {
  if (elt.id === "saver") return "What you typed stays here and is sent again.";
  const form = elt.closest("form");
  const dice = form ? [...form.querySelectorAll("input.die")].map((die) => die.value).filter(Boolean) : [];
  const listed = new Intl.ListFormat("en-GB").format(dice);
  if (dice.length) return `Your ${listed} ${dice.length > 1 ? "are" : "is"} kept.`;
  return form && [...form.elements].some(isFilledIn) ? "What you typed is kept." : "";
}

// A form that is sent again carries the same act id, so that nothing is done twice.
function sendAgain(elt, submitter) {
  if (elt.id === "saver") htmx.trigger(elt, "flush");
  else if (elt.matches(".inputs")) htmx.trigger(elt, "change");
  else if (elt.matches("form") && !submitter?.isConnected) elt.requestSubmit();
  else (submitter ?? elt).click(); // pressed, so that htmx sends which button it was
}

function tellUnsent(words, again) {
  const bar = document.getElementById("unsent");
  bar.textContent = words;
  if (!again) return;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Try again";
  button.addEventListener("click", () => {
    tellUnsent("");
    again();
  });
  bar.append(" ", button);
}

// A refusal that only the bar can show stays until something else is requested: polls do not remove it.
function tellRefused(words, again) {
  tellUnsent(words, again);
  unsent = document.getElementById("unsent");
}

// Odds of other inputs than those on show would be false.
function clearOdds() {
  document.getElementById("opening").hidden = true;
  ["odds", "offers"].forEach((id) => document.getElementById(id)?.replaceChildren());
}

// News and odds are fetched on the side: they neither replace nor remove the report of what could not be sent.
function isAside(elt) {
  return (POLLS.includes(elt.id) || elt.matches(".inputs")) && Boolean(unsent?.isConnected) && unsent !== elt;
}

function noteFailure(event) {
  const { elt, xhr, requestConfig } = event.detail;
  if (POLLS.includes(elt.id)) {
    if (!unsent) tellUnsent("No connection to the match: what is new there is not shown.");
    return;
  }
  if (elt.matches(".inputs")) clearOdds();
  if (isAside(elt)) return;
  unsent = elt;
  const why = describeFailure(event.type, xhr.status, requestConfig.verb);
  const submitter = requestConfig.triggeringEvent?.submitter;
  tellUnsent(`${why} ${describeKept(elt)}`.trim(), () => sendAgain(elt, submitter));
}

// An answer removes what was reported, even about a form that is gone.
function noteAnswer(event) {
  const { elt, xhr } = event.detail;
  if (!xhr.status || xhr.status >= 500 || xhr.status === 403) return;
  if (isAside(elt)) return;
  unsent = null;
  tellUnsent("");
}

// A refusal without the page, such as that of an old form, must not replace it and what was typed.
function keepPage(event) {
  const { xhr, target, shouldSwap } = event.detail;
  const part = target?.closest("#desk, #ledger")?.id;
  if (xhr.status !== 403 || !shouldSwap || !part || xhr.responseText.includes(`id="${part}"`)) return;
  event.detail.shouldSwap = false;
  tellRefused("Not done: the page is too old, or this browser holds no seat here any more.", () => location.reload());
  document.querySelector("#unsent button").textContent = "Reload the page";
}

document.addEventListener("htmx:beforeSwap", keepPage);
["htmx:sendError", "htmx:timeout", "htmx:responseError"].forEach((name) => document.addEventListener(name, noteFailure));
document.addEventListener("htmx:afterRequest", noteAnswer);

// Times are shown by this device's clock, each with its date; in the log, the date is shown when it changes.
const CLOCK = { hour: "2-digit", minute: "2-digit" };
const WHEN = { day: "numeric", month: "short", ...CLOCK };
function tellLocalTimes() {
  let day = "";
  document.querySelectorAll("time[datetime]").forEach((time) => {
    const moment = new Date(time.dateTime);
    const isLogged = time.closest("#log-rows") !== null;
    const goesOn = isLogged && day === moment.toDateString();
    if (isLogged) day = moment.toDateString();
    const words = goesOn ? moment.toLocaleTimeString(undefined, CLOCK) : moment.toLocaleString(undefined, WHEN);
    if (time.textContent !== words) time.textContent = words;
  });
}

// Paper and Markdown are made by the server: it is told which clock to use.
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (ZONE) document.cookie = `zone=${ZONE}; path=/; max-age=31536000; samesite=lax`;

document.addEventListener("DOMContentLoaded", tellLocalTimes);
document.addEventListener("htmx:oobAfterSwap", tellLocalTimes);
document.addEventListener("htmx:afterSettle", tellLocalTimes);

// Links are copied, or given to the device's own sharing.
document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("[data-copy]").forEach((button) => { button.hidden = !navigator.clipboard; });
  document.querySelectorAll("[data-share]").forEach((button) => { button.hidden = !navigator.share; });
});
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-share]");
  if (!button) return;
  const { copy, share } = button.dataset;
  const { value } = document.getElementById(copy || share);
  try {
    if (share) await navigator.share({ url: value });
    else {
      await navigator.clipboard.writeText(value);
      button.textContent = "Copied";
    }
  } catch { /* the device's own sheet was closed without sharing */ }
});

// The page's title and icon show whose turn it is, to be seen among other tabs.
let waited = false;
function tellTurn() {
  const status = document.querySelector("[data-waits]");
  if (!status) return;
  const waits = status.dataset.waits === "me";
  const icon = document.querySelector("link[rel=icon]");
  const address = waits ? icon.dataset.turn : icon.dataset.usual;
  if (icon.getAttribute("href") !== address) icon.setAttribute("href", address);
  document.title = (waits ? "Your turn · " : "") + document.title.replace("Your turn · ", "");
  if (waits && !waited && document.hidden) callPlayer();
  waited = waits;
}
["DOMContentLoaded", "htmx:oobAfterSwap", "htmx:afterSettle"].forEach((name) => document.addEventListener(name, tellTurn));

// Calls are switched on with a button. Only then does a page ask, twice a minute, while nobody looks at it.
const CALLS = "volga-calls";
let askedUnseen = 0;
function wantsCalls() {
  return "Notification" in window && Notification.permission === "granted" && localStorage.getItem(CALLS) === "on";
}
function isCallDue(elt) {
  if (elt.id === "hands" || !wantsCalls() || Date.now() - askedUnseen < 30000) return false;
  askedUnseen = Date.now();
  return true;
}
document.addEventListener("htmx:configRequest", (event) => {
  if (document.hidden && POLLS.includes(event.detail.elt.id)) event.detail.parameters.unseen = "1";
});
function callPlayer() {
  if (!wantsCalls()) return;
  try {
    const name = document.title.replace("Your turn · ", "");
    const line = document.querySelector("[data-waits]")?.dataset.line;
    const call = new Notification("Your turn", { body: line ? `${name}: “${line}”` : name, tag: location.pathname });
    call.addEventListener("click", () => { window.focus(); call.close(); });
  } catch { /* some phones notify only for installed apps */ }
}
function tellCalls(part) {
  const on = wantsCalls();
  const refused = Notification.permission === "denied";
  part.querySelector("button").hidden = refused;
  part.querySelector("button").textContent = on ? "Do not tell me here any more" : "Tell me here when it is my turn";
  part.querySelector("[role=status]").textContent = on
    ? "While a page of the match stays open, it tells you."
    : refused ? "To be told here when it is your turn, allow it in the browser's settings of this site." : "";
}
document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("[data-notify]").forEach((part) => {
    part.hidden = !("Notification" in window);
    if (!part.hidden) tellCalls(part);
  });
});
document.addEventListener("click", async (event) => {
  const part = event.target.closest("[data-notify] button")?.parentElement;
  if (!part) return;
  if (wantsCalls()) localStorage.removeItem(CALLS);
  else if (await Notification.requestPermission() === "granted") localStorage.setItem(CALLS, "on");
  tellCalls(part);
});
