// The hint of a lesson stands beside what it is about. Without a lesson a match's page has none of this.
"use strict";

{
  const ID = "hint";
  const reported = new Set(); // steps whose opening the server knows of
  let announced = ""; // the hint that was announced last

  const voice = document.createElement("p");
  voice.className = "unseen";
  voice.setAttribute("role", "status");

  const find = (selector) => [...document.querySelectorAll(selector)].find((node) => node.checkVisibility());
  const homeOf = () => document.getElementById("lesson");
  const press = (selector) => homeOf()?.querySelector(selector)?.click();

  const isDone = ({ until, filled }) =>
    Boolean((until && document.querySelector(until)) || (filled && document.querySelector(filled)?.value.trim()));

  // The first hint that is not done and whose subject is visible.
  function findHint() {
    const open = [...(homeOf()?.querySelectorAll("[data-step]") || [])].filter((step) => !reported.has(step.dataset.step));
    return open.find((step) => !isDone(step.dataset) && find(step.dataset.beside));
  }

  function tellOpened() {
    homeOf()?.querySelectorAll("[data-once]").forEach((step) => {
      if (reported.has(step.dataset.step) || !document.querySelector(step.dataset.once)) return;
      reported.add(step.dataset.step);
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
    const neighbours = { before: around.previousSibling, after: around.nextSibling, inside: around.firstChild };
    if (neighbours[step.dataset.stands] === hint) return;
    ({ before: () => around.before(hint), after: () => around.after(hint), inside: () => around.prepend(hint) })[
      step.dataset.stands
    ]();
  }

  function describe(subject) {
    document.querySelectorAll(`[aria-describedby~="${ID}"]`).forEach((control) => {
      if (control === subject) return;
      const otherIds = control.getAttribute("aria-describedby").split(" ").filter((id) => id !== ID);
      if (otherIds.length) control.setAttribute("aria-describedby", otherIds.join(" "));
      else control.removeAttribute("aria-describedby");
    });
    const ids = (subject?.getAttribute("aria-describedby") || "").split(" ").filter(Boolean);
    if (subject && !ids.includes(ID)) subject.setAttribute("aria-describedby", [...ids, ID].join(" "));
  }

  // The last hint may be far down the page: the ending, at the top, is brought into sight, once.
  function showEnding() {
    const ending = homeOf()?.querySelector("[data-step]") ? null : homeOf()?.querySelector(".ending");
    if (!ending || !announced || announced === ending.textContent.trim()) return;
    voice.textContent = announced = ending.textContent.trim();
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
    if (announced === words) return;
    // Do not take anybody away from the result that they are reading.
    if (announced && document.activeElement?.id !== "result") hint.scrollIntoView({ block: "nearest" });
    voice.textContent = announced = words;
  }

  document.addEventListener("DOMContentLoaded", () => {
    document.body.append(voice);
    look();
  });
  const lookSoon = () => setTimeout(look); // once everything else has answered
  const changing = ["click", "input", "change", "toggle", "htmx:afterSettle", "htmx:oobAfterSwap", "htmx:afterRequest"];
  changing.forEach((name) => window.addEventListener(name, lookSoon, true)); // before another listener stops it
}
