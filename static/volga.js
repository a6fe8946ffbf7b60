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

document.addEventListener("htmx:afterSettle", (event) => {
  syncVersion();
  const desk = document.getElementById("desk");
  if (!desk || event.detail.target.id !== "desk") return;
  const wanted = desk.querySelector("[aria-invalid=true], .die-input input[aria-describedby]");
  const result = desk.querySelector("#result");
  const die = desk.querySelector(".dice input");
  const posted = event.detail.requestConfig && event.detail.requestConfig.verb === "post";
  const focus = wanted || (posted && result && !desk.querySelector(".notice[role=status]") ? result : die) || desk.querySelector("button");
  if (focus) focus.focus({ preventScroll: false });
});

// Digits go to the first empty die wherever the focus is, Enter resolves.
document.addEventListener("keydown", (event) => {
  const form = document.getElementById("desk-form");
  if (!form || event.ctrlKey || event.altKey || event.metaKey) return;
  const at = document.activeElement;
  const busy = at && at.matches("input, select, textarea, button, a, summary");
  if (busy) return;
  if (/^[0-9]$/.test(event.key)) {
    const dice = [...form.querySelectorAll(".dice input")];
    const die = dice.find((input) => !input.value) || dice[0];
    if (die) die.focus();
  } else if (event.key === "Enter") {
    event.preventDefault();
    const button = form.querySelector("button.main");
    if (button) form.requestSubmit(button);
  }
});
