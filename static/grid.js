// Typing into a chart as into a spreadsheet. Comfort only: the form works without this file.
"use strict";

const grid = document.getElementById("grid");

function cellAt(row, column) {
  return document.getElementById(`c-${row}-${column}`);
}

function placeOf(cell) {
  const found = /^c-(\d+)-(\d+)$/.exec(cell.id || "");
  return found && [Number(found[1]), Number(found[2])];
}

function go(row, column) {
  const cell = cellAt(row, column);
  if (!cell) return false;
  cell.focus();
  cell.select();
  return true;
}

// Arrows and Enter move from cell to cell; left and right do so only from the end of what is typed.
grid.addEventListener("keydown", (event) => {
  const at = placeOf(event.target);
  if (!at || event.ctrlKey || event.altKey || event.metaKey) return;
  const [row, column] = at;
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
  if (placeOf(event.target)) event.target.select();
});

// A table in the clipboard goes to the server with the cell that it was pasted into.
grid.addEventListener("paste", (event) => {
  const at = placeOf(event.target);
  const text = (event.clipboardData || window.clipboardData).getData("text");
  const pasted = document.getElementById("pasted");
  if (!at || !pasted || !/[\t\n]/.test(text.trim())) return;
  event.preventDefault();
  pasted.value = text;
  document.getElementById("at").append(new Option("here", at.join("-"), true, true));
  grid.requestSubmit(document.getElementById("paste"));
});

// What was typed a moment ago must be saved before a link leaves the page, and no save may be under way
// when a button sends the whole form.
let dirty = false;
let saving = 0;
let leaving = false;
let waiting = null;
grid.addEventListener("input", () => { dirty = true; });
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.elt !== grid) return;
  if (leaving) {
    event.preventDefault();
  } else {
    dirty = false;
    saving += 1;
  }
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.elt !== grid) return;
  saving -= 1;
  if (waiting && !saving && (leaving || !dirty)) waiting();
});
grid.addEventListener("submit", (event) => {
  leaving = true;
  if (!saving) return;
  event.preventDefault();
  const { submitter } = event;
  waiting = () => grid.requestSubmit(submitter);
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]:not([href^='#'])");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || !(dirty || saving)) return;
  event.preventDefault();
  waiting = () => { location.href = link.href; };
  if (dirty) htmx.trigger(grid, "flush");
});
addEventListener("pagehide", () => {
  if (dirty && !leaving) navigator.sendBeacon(location.pathname, new FormData(grid));
});

// The answer to a save names the cells that are to be mended, and whose every value is.
document.addEventListener("htmx:afterSettle", () => {
  const check = document.getElementById("check");
  const said = document.getElementById("said");
  const news = check.querySelector("h2, .good, .trouble").textContent;
  if (said.textContent !== news) said.textContent = news;
  const bad = new Set(check.dataset.bad.split(" "));
  check.dataset.marks.split("/").forEach((line, above) => {
    [...line].forEach((letter, column) => {
      const cell = cellAt(above + 1, column);
      if (cell) cell.parentElement.className = letter;
    });
  });
  grid.querySelectorAll("input[id^=c-]").forEach((cell) => {
    const at = cell.id.slice(2);
    if (bad.has(at)) {
      cell.setAttribute("aria-invalid", "true");
      if (document.getElementById(`p-${at}`)) cell.setAttribute("aria-describedby", `p-${at}`);
    } else {
      cell.removeAttribute("aria-invalid");
      cell.removeAttribute("aria-describedby");
    }
  });
});

// A link to a cell also selects what stands in it.
document.addEventListener("click", (event) => {
  const link = event.target.closest("#check a[href^='#c-']");
  const cell = link && document.getElementById(link.hash.slice(1));
  if (!cell) return;
  event.preventDefault();
  cell.focus();
  cell.select();
  cell.scrollIntoView({ block: "nearest", inline: "nearest" });
});
