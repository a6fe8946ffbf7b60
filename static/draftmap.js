// Drags a sector of a map draft to another place; a tap still follows its link. Comfort only: there are buttons, too.
"use strict";
{
  const FAR = 8; // pixels; less is a tap
  let held = null;

  document.addEventListener("pointerdown", (event) => {
    const cell = event.target.closest("a[data-sector]");
    if (!cell || event.button !== 0) return;
    held = { cell, x: event.clientX, y: event.clientY, far: false };
  });
  document.addEventListener("dragstart", (event) => {
    if (event.target.closest?.("a[data-sector]")) event.preventDefault();
  });
  document.addEventListener("pointermove", (event) => {
    if (!held) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    held.far ||= Math.hypot(dx, dy) > FAR;
    if (!held.far) return;
    const scale = held.cell.ownerSVGElement.getScreenCTM().a;
    held.cell.setAttribute("transform", `translate(${dx / scale} ${dy / scale})`);
  });
  document.addEventListener("pointercancel", () => {
    held?.cell.removeAttribute("transform");
    held = null;
  });
  document.addEventListener("click", (event) => {
    const dragged = held?.far ? held : null;
    held = null;
    if (!dragged) return;
    event.preventDefault();
    event.stopPropagation();
    const svg = dragged.cell.ownerSVGElement;
    const ground = svg.querySelector(".ground").getBoundingClientRect();
    const label = dragged.cell.querySelector(".number");
    const at = label.getBoundingClientRect();
    const share = (value, from, size) => Math.min(Math.max((value - from) / size, 0), 1);
    const x = Math.round(share(at.left + at.width / 2, ground.left, ground.width) * Number(svg.dataset.width));
    const y = Math.round(share(at.bottom - at.height / 4, ground.top, ground.height) * Number(svg.dataset.height));
    const address = new URL(location.href);
    const changes = address.searchParams.get("changes");
    const change = `${dragged.cell.dataset.sector}~${x}~${y}`;
    address.searchParams.set("changes", changes ? `${changes}.${change}` : change);
    address.searchParams.delete("one");
    location.assign(address);
  }, true);
}
