// A board that is scrolled and tapped. Comfort only: the page works without this.
"use strict";

const view = () => document.querySelector(".board-view");
const whole = () => document.getElementById("board-whole");
const boardKey = () => `board ${location.pathname}`;

let dressed = null; // the board that one looks at

// Where one looked stays as it was, in this tab.
function rememberLook() {
  if (dressed !== view()) return; // one that has gone
  const { scrollLeft, scrollTop } = view();
  sessionStorage.setItem(boardKey(), JSON.stringify({ scrollLeft, scrollTop, whole: whole()?.checked }));
}
function lookAgain() {
  const kept = JSON.parse(sessionStorage.getItem(boardKey()) || "null");
  if (kept) {
    if (whole()) whole().checked = kept.whole;
    view().scrollTo(kept.scrollLeft, kept.scrollTop);
  } else lookAt(document.querySelector(".board-over .lit button, .board-over :is(button, [aria-current])"));
}

// A place comes into view, where it is not.
function isInFrame(there) {
  const frame = view().getBoundingClientRect();
  const at = there.getBoundingClientRect();
  return at.left >= frame.left && at.right <= frame.right && at.top >= frame.top && at.bottom <= frame.bottom;
}
function lookAt(there) {
  if (!there || isInFrame(there)) return;
  const frame = view().getBoundingClientRect();
  const at = there.getBoundingClientRect();
  view().scrollBy(at.left + at.width / 2 - frame.left - frame.width / 2, at.top + at.height / 2 - frame.top - frame.height / 2);
}

// A place where nothing lies any more is looked at all the same.
function lookAtPlace(name) {
  const over = document.getElementById("board-over");
  const spot = document.createElement("span");
  spot.className = `${name} happened`;
  over.querySelector(".happened")?.remove();
  over.append(spot);
  lookAt(spot);
}

// A page may have its board drawn anew, or come to one by a link that draws a part of it.
function dressBoard() {
  if (!view() || dressed === view()) return;
  dressed = view();
  lookAgain();
  view().addEventListener("scrollend", rememberLook);
  whole()?.addEventListener("change", rememberLook);
}
document.addEventListener("DOMContentLoaded", dressBoard);
document.addEventListener("htmx:afterSettle", dressBoard);

// What lay at the place that was tapped may have changed. Where something is to be pressed is looked at, or else where
// something has happened.
document.addEventListener("htmx:oobAfterSwap", (event) => {
  if (event.detail.target.id !== "board-over") return;
  document.getElementById("board-place").textContent = "";
  const over = document.getElementById("board-over");
  if (over.dataset.happened) lookAtPlace(over.dataset.happened);
  const lit = [...over.querySelectorAll(".lit button, .many")];
  if (lit.length && !lit.some(isInFrame)) lookAt(lit[0]);
  // Whoever has acted goes on at the board; whoever reads is left where they read.
  if (!lit.length && event.detail.requestConfig?.verb !== "post") return;
  const { top } = view().getBoundingClientRect();
  const head = document.querySelector(".strip").offsetHeight;
  if (top < head) scrollBy(0, top - head);
});
document.addEventListener("click", (event) => {
  if (event.target.closest(".board-over a")) rememberLook(); // before the page goes on
  const step = event.target.closest(".told [data-place]");
  if (step) lookAtPlace(step.dataset.place);
});
