// What is this? A word of the game is underlined with dots where it stands, and a tap on it explains it in a sentence.
// Comfort only: the same words stand on a page of their own.
"use strict";

const WORDS_FILE = document.currentScript.dataset.words;
// Where words are explained: not in what is pressed or ticked, where a tap means something else.
const SPOTS = `.field > label, .rows > legend, .row label, .result .meaning, .result h2, .effects li, .also b, #opening,
  .account, .due-row small, .chosen-counters li, .odds th, .kept h3, .kept .told p, .chart-words,
  #ledger :is(h2, h3, p, dt, legend, th, li):not(.log *), .campaign-card :is(h2, h3, h4, p, li)`;
const PRESSED = "a, button, summary, select, .tick, .word, [role=button]";
const explained = new Map(); // by spelling: word, text, rule, anchor
let wordsPage = "";
let spelling = null; // finds spellings in a text

function readWords(file) {
  wordsPage = file.page;
  file.words.forEach(([word, also, text, rule, anchor]) => {
    [word, ...also].forEach((spelled) => explained.set(spelled, { word, text, rule, anchor }));
  });
  // A single letter, such as the result E, is a word only if it stands alone.
  const long = [...explained.keys()].filter((spelled) => spelled.length > 1).sort((shorter, longer) => longer.length - shorter.length);
  const escaped = long.map((spelled) => spelled.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  spelling = new RegExp(`(?<![\\w/+-])(?:${escaped.join("|")})(?![\\w/+-])`);
}

function findIn(text) {
  const code = text.split(":")[0].trim(); // the whole text, or what "E: 3 on column 12" begins with
  if (explained.has(code)) return [text.indexOf(code), code];
  const match = spelling.exec(text);
  return match && [match.index, match[0]];
}

// One mark for each word in a part is enough: a form should not be full of them.
function markWords(root = document) {
  const marked = new Map();
  root.querySelectorAll(SPOTS).forEach((spot) => {
    const part = spot.closest("form, article, section, #ledger, main");
    if (!marked.has(part)) marked.set(part, new Set([...part.querySelectorAll(".word:not([aria-hidden=true] *)")].map((mark) => mark.dataset.word)));
    const walker = document.createTreeWalker(spot, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const match = !node.parentElement.closest(PRESSED) && findIn(node.data);
      if (!match || marked.get(part).has(explained.get(match[1]).word)) continue;
      if (!spot.closest("[aria-hidden=true]")) marked.get(part).add(explained.get(match[1]).word);
      markWord(node, ...match);
      break;
    }
  });
}

function markWord(node, start, word) {
  // Parts of a row stand apart: a sentence with a mark in it stays one part.
  if (/flex|grid/.test(getComputedStyle(node.parentElement).display)) {
    const sentence = document.createElement("span");
    node.replaceWith(sentence);
    sentence.append(node);
  }
  const rest = node.splitText(start);
  rest.splitText(word.length);
  const mark = document.createElement("span"); // a button must not stand in a label
  mark.className = "word";
  mark.setAttribute("role", "button");
  // On a sheet the way from field to field stays short: its head explains all of its words. What is not read aloud must
  // not take the focus: the word of a result is in its headline, too.
  mark.tabIndex = rest.parentElement.closest("#desk form, [aria-hidden]") ? -1 : 0;
  mark.setAttribute("aria-haspopup", "dialog");
  mark.dataset.word = explained.get(word).word;
  mark.textContent = word;
  rest.replaceWith(mark);
}

// The head of a sheet has a button for all its words, as large as a finger.
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
  const matches = [...form.querySelectorAll(TOLD_OF)].map((spot) => findIn(spot.textContent)).filter(Boolean);
  return [...new Set(matches.map(([, word]) => explained.get(word).word))];
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
  const entries = words.map((word) => explained.get(word));
  card.querySelector("dl").replaceChildren(...entries.flatMap(({ word, text, rule }) => [
    make("dt", {}, word), make("dd", {}, text, " ", make("small", {}, `Rule ${rule}`)),
  ]));
  card.querySelector("a").href = `${wordsPage}#${entries[0].anchor}`;
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

function ask(target) {
  if (target?.matches(".word")) explain(target, [target.dataset.word]);
  else if (target?.matches(".what")) explain(target, listWords(target.closest("form")));
}

// Before any other listener: a label would pass the tap on to its field, and Escape would close the sheet.
document.addEventListener("click", (event) => {
  const target = event.target.closest(".word, .what");
  if (!target) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  ask(target);
}, true);
document.addEventListener("keydown", (event) => {
  const current = document.activeElement;
  if (event.key === "Escape" && document.querySelector("#word:popover-open")) closeCard();
  else if (["Enter", " "].includes(event.key) && current?.matches(".word, .what")) ask(current);
  else {
    if (current?.closest("#word")) event.stopImmediatePropagation(); // letters are keys of the table elsewhere
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
startWords().catch(() => { /* every page works without them */ });
