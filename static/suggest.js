// Lists of counters by three letters, and sectors by taps. Comfort only: what they write can be typed as well.
"use strict";

{
  const sheet = document.querySelector(".sheet[data-suggests]");
  const lists = new Map((sheet?.dataset.suggests || "").split(" ").filter(Boolean).map((pair) => pair.split(":")));
  const LETTERS = 3, MOST = 8;

  function listOf(cell) {
    const name = cell.dataset?.suggest || (cell.closest?.(".sheet td") && lists.get(cell.id.split("-")[2]));
    const list = name && document.getElementById(`list-${name}`);
    return list ? [...list.options].map((option) => option.value) : [];
  }

  // The part of "3 Rifle squad, 1 com" that is being typed: what stands before it, its number, its letters.
  function partOf(cell) {
    const typed = cell.value.slice(0, cell.selectionStart);
    const match = /^(.*[,;:]\s*)?((?:\d+(?:-\d+)?\s*[x×]?\s+)?)(\D.*)?$/su.exec(typed) || [];
    return { before: match[1] || "", number: match[2] || "", letters: (match[3] || "").trim().toLowerCase() };
  }

  let box = null;
  let below = null; // the cell that the box belongs to

  function close() {
    box?.remove();
    box = null;
  }

  function choose(cell, word) {
    const { before, number } = partOf(cell);
    const rest = cell.value.slice(cell.selectionStart).replace(/^[^,;]*/, "");
    cell.value = `${before}${number || "1 "}${word}${rest}`;
    close();
    cell.focus();
    const end = cell.value.length - rest.length;
    cell.setSelectionRange(end, end);
    cell.dispatchEvent(new Event("input", { bubbles: true }));
    close();
  }

  function offer(cell) {
    close();
    const { letters } = partOf(cell);
    if (letters.length < LETTERS) return;
    const words = listOf(cell).filter((word) => word.toLowerCase().includes(letters));
    const offered = words.filter((word) => word.toLowerCase() !== letters).slice(0, MOST);
    if (!offered.length) return;
    box = document.createElement("div");
    box.className = "suggested";
    for (const word of offered) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = word;
      button.addEventListener("mousedown", (event) => event.preventDefault()); // the cell keeps the focus
      button.addEventListener("click", () => choose(cell, word));
      box.append(button);
    }
    document.body.append(box);
    below = cell;
    lay();
  }

  // Below its cell, even when the page above has grown.
  function lay() {
    if (!box) return;
    const { left, bottom } = below.getBoundingClientRect();
    box.style.setProperty("left", `${Math.max(8, Math.min(left, innerWidth - box.offsetWidth - 8)) + scrollX}px`);
    box.style.setProperty("top", `${bottom + scrollY}px`);
  }

  document.addEventListener("htmx:afterSettle", lay);
  document.addEventListener("scroll", lay, true);

  document.addEventListener("input", (event) => {
    if (event.isTrusted && event.target.matches("#grid input[id^=c-]")) offer(event.target);
  });
  document.addEventListener("focusout", () => setTimeout(() => { if (!box?.contains(document.activeElement)) close(); }));
  // Before grid.js moves to the cell below: Enter takes the first word on offer.
  document.addEventListener("keydown", (event) => {
    if (!box) return;
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && event.target.matches("#grid input")) {
      event.preventDefault();
      event.stopPropagation();
      box.querySelector("button").click();
    }
  }, true);

  // Sectors that are tapped: chips show what is written in a field, or fill two fields one after the other.
  function sectorsIn(text) {
    const sectors = new Set();
    for (const [, low, high] of text.matchAll(/(\d+)(?:\s*[-–]\s*(\d+))?/g)) {
      for (let sector = Number(low); sector <= Math.min(Number(high || low), 99); sector += 1) sectors.add(sector);
    }
    return sectors;
  }

  function showTaps(taps) {
    const field = document.getElementById(taps.dataset.taps);
    const sectors = sectorsIn(field.value);
    taps.querySelectorAll("button").forEach((chip) => {
      chip.setAttribute("aria-pressed", sectors.has(Number(chip.dataset.sector)));
    });
  }

  document.querySelectorAll(".taps[data-sectors]").forEach((taps) => {
    const field = document.getElementById(taps.dataset.taps);
    for (const sector of taps.dataset.sectors.split(" ")) {
      const chip = document.createElement("button");
      Object.assign(chip, { type: "button", className: "chip", textContent: sector });
      chip.dataset.sector = sector;
      chip.setAttribute("aria-label", `${field.getAttribute("aria-label")}: sector ${sector}`);
      taps.append(chip);
    }
    taps.hidden = false;
    showTaps(taps);
    field.addEventListener("input", () => showTaps(taps));
    taps.addEventListener("click", (event) => {
      const sector = Number(event.target.dataset.sector);
      if (!sector) return;
      const sectors = sectorsIn(field.value);
      if (!sectors.delete(sector)) sectors.add(sector);
      field.value = [...sectors].sort((a, b) => a - b).join(", ");
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
  });

  document.querySelectorAll(".taps[data-taps='one other']").forEach((taps) => {
    const [firstField, secondField] = ["one", "other"].map((name) => document.querySelector(`[form=grid][name=${name}]`));
    taps.hidden = false;
    taps.addEventListener("click", (event) => {
      const { sector } = event.target.dataset;
      if (!sector) return;
      if (!firstField.value || secondField.value) [firstField.value, secondField.value] = [sector, ""];
      else if (firstField.value !== sector) secondField.value = sector;
      taps.querySelectorAll("button").forEach((chip) => {
        chip.setAttribute("aria-pressed", [firstField.value, secondField.value].includes(chip.dataset.sector));
      });
      if (secondField.value) document.getElementById("grid").requestSubmit(document.querySelector("[form=grid][value=border]"));
    });
  });
}
