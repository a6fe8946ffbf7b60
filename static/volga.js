// Comfort only: every page works without this file.
"use strict";

// Forms carry the match version they were drawn from. When news arrives, the forms on show are brought up to it.
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
    const shown = document.getElementById(line.id);
    if (!shown || shown === event.detail.target) return;
    shown.replaceWith(line);
    htmx.process(line);
  });
});

// A poll neither starts nor speaks while another request is under way: that one's answer brings newer news.
let underway = 0;
document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, target, xhr } = event.detail;
  if (document.hidden && elt.getAttribute("hx-trigger")?.startsWith("every")) {
    event.preventDefault(); // nobody looks: it asks again once somebody does
    return;
  }
  if (elt.id === "watch" || elt.id === "hands") return; // they bring no page, only word of news
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

document.addEventListener("htmx:oobAfterSwap", syncVersion);
document.addEventListener("htmx:afterSettle", (event) => {
  syncVersion();
  const desk = document.getElementById("desk");
  if (!desk || event.detail.target?.id !== "desk") return; // there is no target when Back brings a page
  const config = event.detail.requestConfig;
  const posted = config && config.verb === "post";
  const changed = posted && config.parameters.more;
  const row = changed && desk.querySelector(`[name^="${changed.split("-")[0]}-new-"]`);
  const wanted = desk.querySelector("[aria-invalid=true], .die-input input[aria-describedby]");
  const result = desk.querySelector("#result");
  const dice = [...desk.querySelectorAll(".dice input")];
  const die = dice.find((input) => !input.value) || dice[0];
  const rolled = posted && result && !desk.querySelector(".notice[role=status]");
  const focus = row || wanted || (rolled ? result : die) || desk.querySelector("button");
  if (focus) focus.focus({ preventScroll: false });
});

// Digits go to the first empty die wherever the focus is, Enter resolves.
document.addEventListener("keydown", (event) => {
  const form = document.getElementById("desk-form");
  if (!form || event.ctrlKey || event.altKey || event.metaKey) return;
  const at = document.activeElement;
  if (at && at.matches("input:not([type=checkbox], [type=radio]), select, textarea")) return;
  if (/^[0-9]$/.test(event.key)) {
    const dice = [...form.querySelectorAll(".dice input")];
    const die = dice.find((input) => !input.value) || dice[0];
    if (die) die.focus();
  } else if (event.key === "Enter" && !(at && at.matches("input, button, a, summary"))) {
    event.preventDefault();
    const button = form.querySelector("button.main");
    if (button) form.requestSubmit(button);
  }
});

// A page of the ledger is fetched anew when the other side has acted, unless somebody is filling in a form on it,
// or reads there why an act was refused.
function isFilledIn(control) {
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

// Who taps twice in haste sees what was tapped last. The first answer would take away the place of the second.
let latest = null;
function isTapped(detail) {
  return detail.target?.id === "ledger" && !["watch", "refresh"].includes(detail.requestConfig?.elt.id);
}
document.addEventListener("htmx:beforeRequest", (event) => {
  if (isTapped(event.detail)) latest = event.detail.xhr;
});
document.addEventListener("htmx:beforeSwap", (event) => {
  if (isTapped(event.detail) && event.detail.xhr !== latest) event.detail.shouldSwap = false;
});

// What somebody has unfolded stays so when the page comes anew.
let unfolded = [];
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target?.id !== "ledger") return;
  unfolded = [...document.querySelectorAll("#ledger details[open][id]")].map((each) => each.id);
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target?.id !== "ledger") return;
  unfolded.map((id) => document.getElementById(id)).forEach((each) => { if (each) each.open = true; });
});

document.addEventListener("htmx:afterSettle", (event) => {
  const config = event.detail.requestConfig;
  if (event.detail.target?.id !== "ledger" || !config || config.verb !== "post") return;
  const wanted = document.querySelector("#ledger [aria-invalid=true]") || document.getElementById("trouble");
  const focus = wanted || document.getElementById("now") || document.getElementById("placing-head");
  if (focus) focus.focus({ preventScroll: !wanted });
});
