// The hint of a lesson stands beside what it speaks of. The page of a match without a lesson has nothing of this.
"use strict";

{
  const ID = "hint";
  const told = new Set(); // what was opened and has been told to the server
  let said = ""; // the hint that was announced last

  const voice = document.createElement("p");
  voice.className = "unseen";
  voice.setAttribute("role", "status");

  const find = (selector) => [...document.querySelectorAll(selector)].find((each) => each.checkVisibility());
  const homeOf = () => document.getElementById("lesson");
  const press = (selector) => homeOf()?.querySelector(selector)?.click();

  const isDone = ({ until, filled }) =>
    Boolean((until && document.querySelector(until)) || (filled && document.querySelector(filled)?.value.trim()));

  // The first hint that is not done and whose subject is on show.
  function findHint() {
    const open = [...(homeOf()?.querySelectorAll("[data-step]") || [])].filter((step) => !told.has(step.dataset.step));
    return open.find((step) => !isDone(step.dataset) && find(step.dataset.beside));
  }

  function tellOpened() {
    homeOf()?.querySelectorAll("[data-once]").forEach((step) => {
      if (told.has(step.dataset.step) || !document.querySelector(step.dataset.once)) return;
      told.add(step.dataset.step);
      press(`button[value="${step.dataset.step}"]`);
    });
  }

  function makeHint() {
    const hint = document.createElement("div");
    hint.id = ID;
    hint.className = "hint";
    hint.setAttribute("role", "note");
    hint.setAttribute("aria-label", "Hint");
    const close = document.createElement("button");
    close.type = "button";
    close.className = "quiet";
    close.textContent = "×";
    close.title = "No more hints";
    close.setAttribute("aria-label", close.title);
    close.addEventListener("click", () => press("button[name=over]"));
    hint.append(document.createElement("p"), close);
    return hint;
  }

  function stand(hint, step, subject) {
    const around = step.dataset.at ? subject.closest(step.dataset.at) || find(step.dataset.at) || subject : subject;
    const there = { before: around.previousSibling, after: around.nextSibling, inside: around.firstChild };
    if (there[step.dataset.stands] === hint) return;
    ({ before: () => around.before(hint), after: () => around.after(hint), inside: () => around.prepend(hint) })[
      step.dataset.stands
    ]();
  }

  function describe(subject) {
    document.querySelectorAll(`[aria-describedby~="${ID}"]`).forEach((each) => {
      if (each === subject) return;
      const others = each.getAttribute("aria-describedby").split(" ").filter((id) => id !== ID);
      if (others.length) each.setAttribute("aria-describedby", others.join(" "));
      else each.removeAttribute("aria-describedby");
    });
    const own = (subject?.getAttribute("aria-describedby") || "").split(" ").filter(Boolean);
    if (subject && !own.includes(ID)) subject.setAttribute("aria-describedby", [...own, ID].join(" "));
  }

  // The last hint may stand far down a page: what ends the lesson, on top of it, comes in sight, once.
  function showEnding() {
    const ending = homeOf()?.querySelector("[data-step]") ? null : homeOf()?.querySelector(".ending");
    if (!ending || !said || said === ending.textContent.trim()) return;
    voice.textContent = said = ending.textContent.trim();
    homeOf().scrollIntoView({ block: "center" });
  }

  function look() {
    tellOpened();
    homeOf()?.toggleAttribute("hidden", Boolean(homeOf().querySelector("[data-step]")));
    const step = findHint();
    const hint = document.getElementById(ID) || (step && makeHint());
    showEnding();
    if (!step) {
      hint?.remove();
      describe(null);
      return;
    }
    const subject = find(step.dataset.beside);
    stand(hint, step, subject);
    hint.dataset.of = step.dataset.step;
    hint.dataset.stands = step.dataset.stands;
    const words = step.textContent.trim();
    if (hint.firstChild.textContent !== words) hint.firstChild.textContent = words;
    describe(subject);
    if (said === words) return;
    // Whoever reads what came of a roll is not taken away from it.
    if (said && document.activeElement?.id !== "result") hint.scrollIntoView({ block: "nearest" });
    voice.textContent = said = words;
  }

  document.addEventListener("DOMContentLoaded", () => {
    document.body.append(voice);
    look();
  });
  const soon = () => setTimeout(look); // once everything else has answered
  const changing = ["click", "input", "change", "toggle", "htmx:afterSettle", "htmx:oobAfterSwap", "htmx:afterRequest"];
  changing.forEach((name) => window.addEventListener(name, soon, true)); // before anybody stops it
}
