// Drags a sector of a map draft to another place; a tap still follows its link. Comfort only: there are buttons, too.
"use strict";
{
  const FAR = 8; // pixels; less is a tap
  let drag = null;

  document.addEventListener("pointerdown", (event) => {
    const cell = event.target.closest("a[data-sector]");
    if (!cell || event.button !== 0) return;
    drag = { cell, x: event.clientX, y: event.clientY, far: false };
  });
  document.addEventListener("dragstart", (event) => {
    if (event.target.closest?.("a[data-sector]")) event.preventDefault();
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    drag.far ||= Math.hypot(dx, dy) > FAR;
    if (!drag.far) return;
    const scale = drag.cell.ownerSVGElement.getScreenCTM().a;
    drag.cell.setAttribute("transform", `translate(${dx / scale} ${dy / scale})`);
  });
  document.addEventListener("pointercancel", () => {
    drag?.cell.removeAttribute("transform");
    drag = null;
  });
  document.addEventListener("click", (event) => {
    const dragged = drag?.far ? drag : null;
    drag = null;
    if (!dragged) return;
    event.preventDefault();
    event.stopPropagation();
    const svg = dragged.cell.ownerSVGElement;
    const ground = svg.querySelector(".ground").getBoundingClientRect();
    const label = dragged.cell.querySelector(".number");
    const box = label.getBoundingClientRect();
    const share = (value, from, size) => Math.min(Math.max((value - from) / size, 0), 1);
    const x = Math.round(share(box.left + box.width / 2, ground.left, ground.width) * Number(svg.dataset.width));
    const y = Math.round(share(box.bottom - box.height / 4, ground.top, ground.height) * Number(svg.dataset.height));
    const address = new URL(location.href);
    const changes = address.searchParams.get("changes");
    const change = `${dragged.cell.dataset.sector}~${x}~${y}`;
    address.searchParams.set("changes", changes ? `${changes}.${change}` : change);
    address.searchParams.delete("one");
    location.assign(address);
  }, true);
}
