// Typing into a chart as into a spreadsheet. Comfort only: the form works without this file.
"use strict";

const grid = document.getElementById("grid");

function cellAt(row, column) {
  return document.getElementById(`c-${row}-${column}`);
}

const CELLS = "input[id^=c-], select[id^=c-]";

function placeOf(cell) {
  const match = /^c-(\d+)-(\d+)$/.exec(cell.id || "");
  return match && [Number(match[1]), Number(match[2])];
}

function go(row, column) {
  const cell = cellAt(row, column);
  if (!cell) return false;
  cell.focus();
  cell.select?.();
  return true;
}

// Number cells bring up a phone's number keyboard. Set once for the table: a page holds hundreds of cells.
const digits = new Set((grid.querySelector(".sheet")?.dataset.digits || "").split(" "));
grid.querySelectorAll("td > input[id^=c-]").forEach((cell) => {
  if (digits.has(cell.id.split("-")[2])) cell.inputMode = "numeric";
});

// Arrows and Enter move from cell to cell; left and right do so only from the end of what is typed.
grid.addEventListener("keydown", (event) => {
  const place = placeOf(event.target);
  if (!place || event.ctrlKey || event.altKey || event.metaKey || event.target.matches("select")) return;
  const [row, column] = place;
  const { selectionStart: start, selectionEnd: end, value } = event.target;
  const whole = start === 0 && end === value.length;
  let moved = false;
  if (event.key === "ArrowDown" || (event.key === "Enter" && !event.shiftKey)) {
    moved = go(row + 1, column) || (event.key === "Enter" && go(cellAt(0, 1) ? 0 : 1, column + 1)) || event.key === "Enter";
  } else if (event.key === "ArrowUp" || event.key === "Enter") {
    moved = go(row - 1, column) || event.key === "Enter";
  } else if (event.key === "ArrowLeft" && (whole || end === 0)) {
    moved = go(row, column - 1);
  } else if (event.key === "ArrowRight" && (whole || start === value.length)) {
    moved = go(row, column + 1);
  }
  if (moved) event.preventDefault();
});

grid.addEventListener("focusin", (event) => {
  if (placeOf(event.target)) event.target.select?.();
});

// A table in the clipboard goes to the server with the cell that it was pasted into.
grid.addEventListener("paste", (event) => {
  const place = placeOf(event.target);
  const text = (event.clipboardData || window.clipboardData).getData("text");
  const pasted = document.getElementById("pasted");
  if (!place || !pasted || !/[\t\n]/.test(text.trim())) return;
  event.preventDefault();
  pasted.value = text;
  document.getElementById("at").append(new Option("here", place.join("-"), true, true));
  grid.requestSubmit(document.getElementById("paste"));
});

// + and x of a row are beyond its last cell, those of a column below its last cell. Tab skips them; arrows reach them
// only from a cell that was not typed into, so that nobody lands there while typing along a row.
grid.querySelectorAll(".cut button").forEach((button) => { button.tabIndex = -1; });

function stepTo(target, event) {
  if (!target) return;
  event.preventDefault();
  target.focus();
}

function goToTools(event) {
  const place = placeOf(event.target);
  if (!place || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
  const line = event.target.closest("tr");
  const { selectionStart: start, selectionEnd: end, value } = event.target;
  if (start !== 0 || end !== value.length) return; // in the middle of typing
  if (event.key === "ArrowRight") stepTo(line.querySelector(".cut button"), event);
  if (event.key === "ArrowDown") stepTo(line.nextElementSibling?.cells[place[1]]?.querySelector(".cut button"), event);
}

function goAmongTools(event) {
  const button = event.target.closest(".cut button");
  if (!button) return;
  const line = button.closest("tr");
  const stops = [...line.querySelectorAll("input, .cut button")];
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step) stepTo(stops[stops.indexOf(button) + step], event);
  const column = button.closest("td").cellIndex;
  if (event.key === "ArrowUp") stepTo(line.previousElementSibling?.cells[column]?.querySelector("input"), event);
}

grid.addEventListener("keydown", goToTools);
grid.addEventListener("keydown", goAmongTools);

// What was typed is saved a moment later, and before anything leads away from the page. Until it is saved, closing the
// page brings a warning.
const saver = document.getElementById("saver");
const RETRY = 5000; // milliseconds
let typed = 0; // changes so far
let saved = 0; // of these, the ones in the stored chart
let underWay = null; // of these, the ones in the save under way
let next = null; // what goes on once everything is saved
let leaving = false;

function isSaved() {
  return saved === typed && underWay === null;
}

function save() {
  if (underWay === null) window.htmx?.trigger(saver, "flush");
}

function saveThen(goOn) {
  next = goOn;
  save();
}

function noteTyping() {
  typed += 1;
  grid.elements.typed.value = typed;
}

// A cell may have been typed into before this file was loaded.
function saveEarlierTyping() {
  if (![...grid.querySelectorAll(CELLS)].some(isFilledIn)) return;
  noteTyping();
  save();
}

function beginSave(event) {
  if (event.detail.elt !== saver) return;
  if (leaving) event.preventDefault();
  else underWay = typed;
}

function endSave(event) {
  if (event.detail.elt !== saver) return;
  const { status } = event.detail.xhr;
  if (status >= 200 && status < 300) {
    saved = underWay;
  } else {
    next = null;
    unsay();
    if (status === 0 || status >= 500) setTimeout(() => { if (!isSaved()) save(); }, RETRY);
  }
  underWay = null;
  if (!next) return;
  if (!isSaved()) setTimeout(save); // something was typed meanwhile
  else next();
}

// The check must stop saying that everything is saved.
function unsay() {
  const unsaved = [document.querySelector("#check .good"), document.getElementById("said")];
  unsaved.forEach((message) => { if (message) message.textContent = "Not saved yet."; });
}

// After a save the check has new buttons.
function findButton({ name, value }) {
  return [...grid.elements].find((button) => button.type === "submit" && button.name === name && button.value === value);
}

function submitSaved(event) {
  if (isSaved()) {
    leaving = true;
    return;
  }
  event.preventDefault();
  const pressed = event.submitter;
  saveThen(() => {
    const button = findButton(pressed);
    if (button) grid.requestSubmit(button);
  });
}

function followSaved(event) {
  const link = event.target.closest("a[href]:not([href^='#'])");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || isSaved()) return;
  if (link.closest("#check .trouble")) { // it reloads the page, without what could not be saved
    leaving = true;
    return;
  }
  event.preventDefault();
  saveThen(() => { location.href = link.href; });
}

grid.addEventListener("input", noteTyping);
grid.addEventListener("submit", submitSaved);
document.addEventListener("click", followSaved);
document.addEventListener("htmx:beforeRequest", beginSave);
document.addEventListener("htmx:afterRequest", endSave);
document.addEventListener("DOMContentLoaded", saveEarlierTyping);
addEventListener("online", () => { if (!isSaved()) save(); });
addEventListener("pageshow", () => { leaving = false; });
addEventListener("beforeunload", (event) => { if (!isSaved() && !leaving) event.preventDefault(); });
addEventListener("pagehide", () => {
  if (!isSaved() && !leaving) navigator.sendBeacon(location.pathname, new FormData(grid));
});

// Reload pictures of rows whose texts have changed. One that cannot be drawn yet leaves its place blank.
function showPictures(marks) {
  grid.querySelectorAll(".pic img").forEach((image) => {
    const address = `${image.src.split("?")[0]}?v=${marks[Number(image.dataset.row) - 1]}`;
    if (image.src !== address) image.src = address;
  });
}

// The answer to a save names the cells to be corrected, and the provenance of every value.
document.addEventListener("htmx:afterSettle", () => {
  const check = document.getElementById("check");
  const announcement = document.getElementById("said");
  const news = check.querySelector("h2, .good, .trouble").textContent;
  if (announcement.textContent !== news) announcement.textContent = news;
  const bad = new Set(check.dataset.bad.split(" "));
  check.dataset.marks.split("/").forEach((line, above) => {
    [...line].forEach((letter, column) => {
      const cell = cellAt(above + 1, column);
      if (cell) cell.parentElement.className = letter;
    });
  });
  showPictures((check.dataset.pictures || "").split(" "));
  grid.querySelectorAll(CELLS).forEach((cell) => {
    const place = cell.id.slice(2);
    if (bad.has(place)) {
      cell.setAttribute("aria-invalid", "true");
      if (document.getElementById(`p-${place}`)) cell.setAttribute("aria-describedby", `p-${place}`);
    } else {
      cell.removeAttribute("aria-invalid");
      cell.removeAttribute("aria-describedby");
    }
  });
});

// A link to a cell also selects its text.
document.addEventListener("click", (event) => {
  const link = event.target.closest("#check a[href^='#c-']");
  const cell = link && document.getElementById(link.hash.slice(1));
  if (!cell) return;
  event.preventDefault();
  cell.closest("details")?.setAttribute("open", "");
  cell.focus();
  cell.select?.();
  cell.scrollIntoView({ block: "nearest", inline: "nearest" });
});
