// The board in its frame, on every page that shows one: drag, two fingers, wheel, double tap and buttons.
//
// The browser's own scroller pans the board; docs/architecture.md says why. What this script looks after is the point
// of the board that lies in the middle of the frame: it stays there when the board is zoomed, grows or is swapped.
// Points are {x, y}: on the screen in pixels, on the board in the drawing's units (100 to a tile).

const LARGEST = 3; // pixels per unit
const NEAR = 0.6; // from here on the drawing shows its decor on any screen
const TOO_SMALL = 0.4; // to choose a place for a meeple
const TO_CHOOSE = 0.64;
const DOUBLE_TAP = 1.2;
const SLACK = 4; // px that a mouse moves in a click
const CALM = "(prefers-reduced-motion: reduce)";

// What is seen of this game's board, on this tab: its middle, and the scale where it was zoomed (0: as it fits).
const viewName = `board ${location.pathname.split("/")[2]}`;
const view = JSON.parse(sessionStorage[viewName] || "{}");
let viewBefore = null; // a cell was chosen, which zoomed in

let frame = null;
let map = null; // the stack of drawings in the frame; a swap brings a new one

// ---------------------------------------------------------------- where things are

function middleOf(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}

// The drawing's viewBox, its scale, and where on the screen its zero lies. Worked out from the layout, not asked of the
// drawing, which may be gliding.
function layOfBoard() {
  const box = map.querySelector(".board").viewBox.baseVal;
  const scale = Math.min(map.clientWidth / box.width, map.clientHeight / box.height);
  const { x, y } = frame.getBoundingClientRect();
  const left = x + frame.clientLeft - frame.scrollLeft;
  const top = y + frame.clientTop - frame.scrollTop;
  return {
    box,
    scale,
    x: left + map.clientWidth / 2 - (box.x + box.width / 2) * scale,
    y: top + map.clientHeight / 2 - (box.y + box.height / 2) * scale,
  };
}

function boardPointAt(screenPoint) {
  const { x, y, scale } = layOfBoard();
  return { x: (screenPoint.x - x) / scale, y: (screenPoint.y - y) / scale };
}

// ---------------------------------------------------------------- moving the board

// The ruler says how large the drawings are at least. Until somebody zooms, it is as the site made it.
function sizeRuler() {
  if (view.scale === undefined) {
    return;
  }
  const { box } = layOfBoard();
  const ruler = map.querySelector(".ruler");
  for (const side of ["width", "height"]) {
    const size = String(box[side] * view.scale);
    if (ruler.getAttribute(side) !== size) {
      ruler.setAttribute(side, size);
    }
  }
}

// Put a point of the board at a point of the screen, as far as the frame can scroll.
function putAt(boardPoint, screenPoint) {
  sizeRuler();
  const { x, y, scale } = layOfBoard();
  frame.scrollBy(x + boardPoint.x * scale - screenPoint.x, y + boardPoint.y * scale - screenPoint.y);
}

function keepView() {
  if (!map) {
    return;
  }
  Object.assign(view, boardPointAt(middleOf(frame)));
  sessionStorage[viewName] = JSON.stringify(view);
  const near = layOfBoard().scale > NEAR;
  for (const drawing of map.querySelectorAll(".board")) {
    drawing.classList.toggle("near", near);
  }
}

// Zoom by a factor (0: as it fits) around a point of the screen, and bring what lies there to another one.
function zoomAndMove(factor, from, to) {
  const point = boardPointAt(from);
  if (factor !== 1) {
    view.scale = Math.min(layOfBoard().scale * factor, LARGEST);
  }
  viewBefore = null;
  putAt(point, to);
  if (factor !== 1) {
    keepView();
  }
}

// Zoom around a point that stays where it is, and glide there.
function zoom(factor, around = middleOf(frame)) {
  const before = layOfBoard().scale;
  zoomAndMove(factor, around, around);
  if (matchMedia(CALM).matches) {
    return;
  }
  const { x, y } = map.getBoundingClientRect();
  map.style.transformOrigin = `${around.x - x}px ${around.y - y}px`;
  map.animate({ scale: [before / layOfBoard().scale, 1] }, { duration: 200, easing: "ease-out" });
}

// ---------------------------------------------------------------- coming to a board

// Without a view of one's own: the cell that was chosen, or where the last tile lies.
function pointToShow(chosen) {
  const alone = frame.closest(".alone"); // the final scoring of one feature shows that feature
  if ("x" in view && !alone) {
    return view;
  }
  return boardPointAt(middleOf(chosen || map.querySelector(".last, .gain") || frame));
}

// Near enough to choose a place for a meeple. Giving the cell up leads back to what was seen before.
function showChosen(chosen) {
  const { scale } = layOfBoard();
  if (scale < TOO_SMALL) {
    const before = { ...view };
    zoom(TO_CHOOSE / scale, middleOf(chosen));
    viewBefore = before;
  }
  chosen.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function restoreView() {
  frame = document.getElementById("frame");
  if (!frame) {
    return;
  }
  if (map !== frame.firstElementChild) {
    map = frame.firstElementChild;
    document.querySelector(".zoom").hidden = false;
    listenToFrame();
  }
  const chosen = map.querySelector(".candidate");
  if (!chosen && viewBefore) {
    Object.assign(view, viewBefore);
    viewBefore = null;
  }
  putAt(pointToShow(chosen), middleOf(frame));
  keepView();
  if (chosen) {
    showChosen(chosen);
  }
}

// ---------------------------------------------------------------- hands on the board

// Where a finger, a mouse or the middle of two fingers has hold of the board, and how far two fingers are apart.
function gripOf(first, second = first) {
  const x = first.clientX - second.clientX;
  const y = first.clientY - second.clientY;
  return { x: second.clientX + x / 2, y: second.clientY + y / 2, span: Math.hypot(x, y) || 1 };
}

function listenToFrame() {
  let grip = null;
  let dragged = false;

  // Not passive: what we answer the browser leaves alone.
  const on = (kind, answer) => frame.addEventListener(kind, answer, { passive: false });

  function pullTo(next) {
    zoomAndMove(next.span / grip.span, grip, next);
    grip = next;
  }

  // Two fingers are ours; one is the browser's.
  on("touchstart", (event) => {
    if (event.touches.length === 2) {
      event.preventDefault();
      grip = gripOf(...event.touches);
    }
  });

  on("touchmove", (event) => {
    if (event.touches.length === 2) {
      event.preventDefault();
      pullTo(gripOf(...event.touches));
    }
  });

  on("pointerdown", (event) => {
    dragged = false;
    if (event.pointerType !== "touch") {
      grip = event.button === 0 ? gripOf(event) : null;
    }
  });

  on("pointermove", (event) => {
    if (!grip || !event.buttons || event.pointerType === "touch") {
      return;
    }
    dragged ||= Math.hypot(event.x - grip.x, event.y - grip.y) > SLACK;
    if (dragged) {
      frame.setPointerCapture(event.pointerId); // so that no link is clicked
      pullTo(gripOf(event));
    }
  });

  on("dragstart", (event) => event.preventDefault());
  on("scroll", keepView);

  on("dblclick", (event) => {
    if (!event.target.closest("a")) {
      const { scale } = layOfBoard();
      zoom(scale > 1 ? 0 : DOUBLE_TAP / scale, event);
    }
  });

  // The wheel scrolls the page until the board is clicked.
  on("wheel", (event) => {
    if (!event.ctrlKey && !frame.matches(":focus-within")) {
      return;
    }
    event.preventDefault();
    const turned = Math.max(-20, Math.min(20, -event.deltaY));
    zoomAndMove(2 ** (turned / 60), event, event);
  });
}

addEventListener("click", ({ target }) => {
  const button = target.closest("[data-zoom]");
  if (button) {
    zoom(Number(button.dataset.zoom));
  }
});

addEventListener("resize", restoreView);

addEventListener("htmx:afterSwap", ({ detail }) => {
  if (["table", "moment", "turn"].includes(detail.target.id)) {
    restoreView();
  }
});

addEventListener("htmx:afterSettle", keepView); // settling takes the class "near" away

restoreView();
