// A board that is scrolled and tapped. Comfort only: the page works without this.
"use strict";

const view = () => document.querySelector(".board-view");
const whole = () => document.getElementById("board-whole");
const boardKey = () => `board ${location.pathname}`;

let dressed = null; // the board on show

// The page remembers where one was looking, in this tab.
function rememberLook() {
  if (dressed !== view()) return; // it has been replaced
  const { scrollLeft, scrollTop } = view();
  sessionStorage.setItem(boardKey(), JSON.stringify({ scrollLeft, scrollTop, whole: whole()?.checked }));
}
function lookAgain() {
  const look = JSON.parse(sessionStorage.getItem(boardKey()) || "null");
  if (look) {
    if (whole()) whole().checked = look.whole;
    view().scrollTo(look.scrollLeft, look.scrollTop);
  } else lookAt(document.querySelector(".board-over .lit button, .board-over :is(button, [aria-current])"));
}

// Brings a place into view if it is not.
function isInFrame(spot) {
  const frame = view().getBoundingClientRect();
  const box = spot.getBoundingClientRect();
  return box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
}
function lookAt(spot) {
  if (!spot || isInFrame(spot)) return;
  const frame = view().getBoundingClientRect();
  const box = spot.getBoundingClientRect();
  view().scrollBy(box.left + box.width / 2 - frame.left - frame.width / 2, box.top + box.height / 2 - frame.top - frame.height / 2);
}

// A place is looked at even if nothing lies there any more; what lies there stands above its tint.
function lookAtPlace(name) {
  const over = document.getElementById("board-over");
  const spot = document.createElement("span");
  spot.className = `${name} happened`;
  over.querySelector(".happened")?.remove();
  over.prepend(spot);
  lookAt(spot);
}

// A page may redraw its board, or get one by a link that redraws a part of the page.
function dressBoard() {
  if (!view() || dressed === view()) return;
  dressed = view();
  lookAgain();
  view().addEventListener("scrollend", rememberLook);
  whole()?.addEventListener("change", rememberLook);
}
document.addEventListener("DOMContentLoaded", dressBoard);
document.addEventListener("htmx:afterSettle", dressBoard);

// What lay at the tapped place may have changed. Look at a place where something can be pressed, or else where
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
