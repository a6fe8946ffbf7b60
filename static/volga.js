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
  const { elt, xhr } = event.detail;
  if (elt.id !== "live") {
    underway += 1;
    xhr.addEventListener("loadend", () => { underway -= 1; });
  } else if (underway) {
    event.preventDefault();
  } else {
    const hush = (answer) => { if (underway || !elt.isConnected) answer.detail.shouldSwap = false; };
    elt.addEventListener("htmx:beforeSwap", hush, { once: true });
  }
});

document.addEventListener("htmx:oobAfterSwap", syncVersion);
document.addEventListener("htmx:afterSettle", (event) => {
  syncVersion();
  const desk = document.getElementById("desk");
  if (!desk || event.detail.target.id !== "desk") return;
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
