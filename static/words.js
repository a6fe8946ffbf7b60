// What is this? A word of the game is underlined with dots where it stands, and a tap on it explains it in a sentence.
// Comfort only: the same words stand on a page of their own.
"use strict";

const WORDS_FILE = document.currentScript.dataset.words;
// Where words are explained: not in what is pressed or ticked, which has a meaning of its own.
const SPOTS = `.field > label, .rows > legend, .row label, .result .meaning, .result h2, .effects li, .also b, #opening,
  .account, .due-row small, .chosen-counters li, .odds th, .kept h3, .kept .told p, .chart-words,
  #ledger :is(h2, h3, p, dt, legend, th, li):not(.log *), .campaign-card :is(h2, h3, h4, p, li)`;
const PRESSED = "a, button, summary, select, .tick, .word, [role=button]";
const explained = new Map(); // by spelling: word, text, rule, anchor
let wordsPage = "";
let spelling = null; // finds them in a text

function readWords(told) {
  wordsPage = told.page;
  told.words.forEach(([word, also, text, rule, anchor]) => {
    [word, ...also].forEach((each) => explained.set(each, { word, text, rule, anchor }));
  });
  // A single letter, such as a result E, is a word only where it stands alone.
  const long = [...explained.keys()].filter((each) => each.length > 1).sort((one, other) => other.length - one.length);
  const escaped = long.map((each) => each.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  spelling = new RegExp(`(?<![\\w/+-])(?:${escaped.join("|")})(?![\\w/+-])`);
}

function findIn(text) {
  const code = text.split(":")[0].trim(); // all of it, or what "E: 3 on column 12" begins with
  if (explained.has(code)) return [text.indexOf(code), code];
  const found = spelling.exec(text);
  return found && [found.index, found[0]];
}

// One mark for each word of a part is enough: a form is not to be full of them.
function markWords(root = document) {
  const marked = new Map();
  root.querySelectorAll(SPOTS).forEach((spot) => {
    const part = spot.closest("form, article, section, #ledger, main");
    if (!marked.has(part)) marked.set(part, new Set([...part.querySelectorAll(".word:not([aria-hidden=true] *)")].map((each) => each.dataset.word)));
    const walker = document.createTreeWalker(spot, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const found = !node.parentElement.closest(PRESSED) && findIn(node.data);
      if (!found || marked.get(part).has(explained.get(found[1]).word)) continue;
      if (!spot.closest("[aria-hidden=true]")) marked.get(part).add(explained.get(found[1]).word);
      markWord(node, ...found);
      break;
    }
  });
}

function markWord(node, start, word) {
  const rest = node.splitText(start);
  rest.splitText(word.length);
  const mark = document.createElement("span"); // a button must not stand in a label
  mark.className = "word";
  mark.setAttribute("role", "button");
  // On a sheet the way from field to field stays short: its head explains all of its words. What is not read aloud must
  // not have the focus: the word of a result stands in its headline, too.
  mark.tabIndex = rest.parentElement.closest("#desk form, [aria-hidden]") ? -1 : 0;
  mark.setAttribute("aria-haspopup", "dialog");
  mark.dataset.word = explained.get(word).word;
  mark.textContent = word;
  rest.replaceWith(mark);
}

// The head of a sheet has a button for all words of it, as large as a finger.
const TOLD_OF = ".field > label, legend, .tick, summary, #opening, .account, .named small";
function markSheet() {
  const head = document.querySelector("#desk-form .form-head");
  if (!head || head.querySelector(".what") || !listWords(head.closest("form")).length) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet what";
  button.setAttribute("aria-haspopup", "dialog");
  button.setAttribute("aria-label", "What do these words mean?");
  button.textContent = "?";
  head.querySelector("h2").after(button);
}

function listWords(form) {
  const found = [...form.querySelectorAll(TOLD_OF)].map((spot) => findIn(spot.textContent)).filter(Boolean);
  return [...new Set(found.map(([, word]) => explained.get(word).word))];
}

// One card for all of them.
function make(tag, parts, ...inside) {
  const node = Object.assign(document.createElement(tag), parts);
  node.append(...inside);
  return node;
}

function makeCard() {
  const close = make("button", { type: "button", className: "second", onclick: closeCard }, "Close");
  const foot = make("p", { className: "actions" }, make("a", { className: "quiet" }, "All words"), close);
  const card = make("div", { id: "word", popover: "auto", tabIndex: -1 }, make("dl", {}), foot);
  card.setAttribute("role", "dialog");
  card.setAttribute("aria-label", "What is this?");
  document.body.append(card);
  return card;
}

let asker = null;
function explain(from, words) {
  const card = document.getElementById("word") || makeCard();
  const told = words.map((each) => explained.get(each));
  card.querySelector("dl").replaceChildren(...told.flatMap(({ word, text, rule }) => [
    make("dt", {}, word), make("dd", {}, text, " ", make("small", {}, `Rule ${rule}`)),
  ]));
  card.querySelector("a").href = `${wordsPage}#${told[0].anchor}`;
  if (!card.showPopover) {
    location.href = card.querySelector("a").href;
    return;
  }
  card.showPopover();
  asker = from;
  card.focus({ preventScroll: true });
}

function closeCard() {
  document.getElementById("word").hidePopover();
  asker?.focus({ preventScroll: true });
}

function ask(at) {
  if (at?.matches(".word")) explain(at, [at.dataset.word]);
  else if (at?.matches(".what")) explain(at, listWords(at.closest("form")));
}

// Before anything else hears of it: a label would pass the tap on to its field, and Escape would close the sheet.
document.addEventListener("click", (event) => {
  const at = event.target.closest(".word, .what");
  if (!at) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  ask(at);
}, true);
document.addEventListener("keydown", (event) => {
  const at = document.activeElement;
  if (event.key === "Escape" && document.querySelector("#word:popover-open")) closeCard();
  else if (["Enter", " "].includes(event.key) && at?.matches(".word, .what")) ask(at);
  else {
    if (at?.closest("#word")) event.stopImmediatePropagation(); // letters are keys of the table elsewhere
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

async function startWords() {
  const answer = await fetch(WORDS_FILE);
  if (!answer.ok) return;
  readWords(await answer.json());
  const mark = () => {
    markWords();
    markSheet();
  };
  mark();
  ["htmx:afterSettle", "htmx:oobAfterSwap"].forEach((name) => document.addEventListener(name, mark));
}
startWords().catch(() => { /* without them every page works */ });
