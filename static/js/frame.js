// The board in its frame: docs/architecture.md.

const kept = `board ${location.pathname.split("/")[2]}`;
const view = JSON.parse(sessionStorage[kept] || "{}"); // its middle, and pixels per unit of the drawing
let left; // before a cell was chosen
let frame, map;

const middle = (thing) => {
  const { x, y, width, height } = thing.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
};

// Its scale, and where its zero is. The drawing may be gliding.
function lie() {
  const box = map.querySelector(".board").viewBox.baseVal;
  const { clientWidth: wide, clientHeight: high } = map;
  const scale = Math.min(wide / box.width, high / box.height);
  const { x, y } = frame.getBoundingClientRect();
  return {
    box,
    scale,
    x: x + frame.clientLeft - frame.scrollLeft + wide / 2 - (box.x + box.width / 2) * scale,
    y: y + frame.clientTop - frame.scrollTop + high / 2 - (box.y + box.height / 2) * scale,
  };
}

function under(at) {
  const { x, y, scale } = lie();
  return { x: (at.x - x) / scale, y: (at.y - y) / scale };
}

// Put a point of the board there on the screen.
function put(point, at) {
  const { box } = lie();
  const ruler = map.firstChild;
  for (const side of ["width", "height"]) {
    const size = String(box[side] * view.scale);
    if (view.scale >= 0 && ruler.getAttribute(side) !== size) ruler.setAttribute(side, size);
  }
  const { x, y, scale } = lie();
  frame.scrollBy(x + point.x * scale - at.x, y + point.y * scale - at.y);
}

function keep() {
  if (!map) return;
  sessionStorage[kept] = JSON.stringify(Object.assign(view, under(middle(frame))));
  const near = lie().scale > 0.6;
  for (const svg of map.querySelectorAll(".board")) svg.classList.toggle("near", near);
}

function zoom(by, at = middle(frame), to) {
  const point = under(at);
  const { scale } = lie();
  if (by !== 1) view.scale = Math.min(scale * by, 3);
  left = 0;
  put(point, to || at);
  if (by !== 1) keep();
  if (to || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const { x, y } = map.getBoundingClientRect();
  map.style.transformOrigin = `${at.x - x}px ${at.y - y}px`;
  map.animate({ scale: [scale / lie().scale, 1] }, { duration: 200, easing: "ease-out" });
}

function restore() {
  frame = document.getElementById("frame");
  if (!frame) return;
  if (map !== frame.firstElementChild) hold();
  const chosen = map.querySelector(".candidate");
  if (!chosen) left = left && !Object.assign(view, left);
  put("x" in view && !frame.closest(".alone") ? view : under(middle(chosen || map.querySelector(".last, .gain") || frame)), middle(frame));
  keep();
  if (!chosen) return;
  const { scale } = lie();
  if (scale < 0.4) {
    const before = { ...view };
    zoom(0.64 / scale, middle(chosen));
    left = before;
  }
  chosen.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function hold() {
  map = frame.firstElementChild;
  document.querySelector(".zoom").hidden = false;
  let grip;
  let dragged;
  const on = (kind, act) => frame.addEventListener(kind, act, { passive: false });
  const grasp = (a, b = a) => {
    const [x, y] = [a.clientX - b.clientX, a.clientY - b.clientY];
    return { x: b.clientX + x / 2, y: b.clientY + y / 2, span: Math.hypot(x, y) || 1 };
  };
  const pull = (to) => {
    zoom(to.span / grip.span, grip, to);
    grip = to;
  };
  const pinch = (event) => {
    if (event.touches.length !== 2) return;
    event.preventDefault();
    const now = grasp(...event.touches);
    if (event.type === "touchstart") grip = now;
    else pull(now);
  };
  on("touchstart", pinch);
  on("touchmove", pinch);
  on("pointerdown", (event) => {
    dragged = false;
    if (event.pointerType !== "touch") grip = !event.button && grasp(event);
  });
  on("pointermove", (event) => {
    if (!grip || !event.buttons || event.pointerType === "touch") return;
    dragged ||= Math.hypot(event.x - grip.x, event.y - grip.y) > 4;
    if (!dragged) return;
    frame.setPointerCapture(event.pointerId); // no link is clicked
    pull(grasp(event));
  });
  on("dragstart", (event) => event.preventDefault());
  on("scroll", keep);
  on("dblclick", (event) => event.target.closest("a") || zoom(lie().scale > 1 ? 0 : 1.2 / lie().scale, event));
  // The wheel scrolls the page until the board is clicked.
  on("wheel", (event) => {
    if (!event.ctrlKey && !frame.matches(":focus-within")) return;
    event.preventDefault();
    zoom(2 ** (Math.max(-20, Math.min(20, -event.deltaY)) / 60), event, event);
  });
}

restore();
addEventListener("resize", restore);
addEventListener("htmx:afterSwap", ({ detail }) => /^(table|moment|turn)$/.test(detail.target.id) && restore());
addEventListener("htmx:afterSettle", keep); // settling takes a class away
addEventListener("click", ({ target }) => {
  const button = target.closest("[data-zoom]");
  if (button) zoom(Number(button.dataset.zoom));
});
