// The board in its frame, on every page that shows one: drag, two fingers, wheel, double tap and buttons.
//
// The browser's scroller pans it, so fingers have momentum, and keys and screen readers work. Panzoom 4.6.2 moves a
// board by transforms, which has none of that; its pinch drifts from the fingers, and after a swap it places the board
// one frame late. What is in the middle stays there when the board is zoomed, grows or is swapped.
//
// Points are {x, y}: on the screen in pixels, on the board in units, 100 to a tile.

const EDGES = // px for numbers, switches, arrows, steps and zoom; the smallest phones leave out the arrows
  innerWidth < 352 ? { top: 32, left: 32, right: 60, bottom: 8 } : { top: 84, left: 88, right: 66, bottom: 64 };
const BESIDE = innerWidth < 352 ? 60 : 0; // px of the frame under zoom, where that stands beside what is asked
const FINGER = 45; // px from the middle of a ring to that of another
const LARGEST = 3; // pixels per unit
const NEAR = 0.6; // from here on the drawing shows its decor on any screen
const TO_CHOOSE = 1.12; // from here on rings are as large as a finger
const DOUBLE_TAP = 1.2;
const HIDES = 24; // px of the frame under the numbers of columns and rows
const SLACK = 6; // px that a mouse moves in a click
const REST = 200; // ms without a move, after which what is seen is stored
const plural = new Intl.PluralRules(document.documentElement.lang);
const CALM = "(prefers-reduced-motion: reduce)";

// What is seen of this board: its middle, and the scale if it was zoomed (0: as it fits).
const viewName = `board ${location.pathname.split("/")[2]}`;
const view = JSON.parse(sessionStorage[viewName] || "{}");
let viewBefore = null; // a cell was chosen, which zoomed in

let frame = null;
let map = null; // the stack of drawings in the frame; a swap brings a new one
let nextFrame = 0; // in which what goes with the view is drawn
let rest = 0; // the timer that stores it

// ---------------------------------------------------------------- where things are

function farFrom(one, other) {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function middleOf(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}

// The drawing's viewBox, scale, and zero: in what scrolls (left, top) and on the screen (x, y).
// From the layout: the drawing may be gliding.
function layOfBoard() {
  const box = map.querySelector(".board").viewBox.baseVal;
  const scale = Math.min(map.clientWidth / box.width, map.clientHeight / box.height);
  const left = map.offsetLeft + map.clientWidth / 2 - (box.x + box.width / 2) * scale;
  const top = map.offsetTop + map.clientHeight / 2 - (box.y + box.height / 2) * scale;
  const place = frame.getBoundingClientRect();
  return {
    box,
    scale,
    left,
    top,
    x: place.x + frame.clientLeft + left - frame.scrollLeft,
    y: place.y + frame.clientTop + top - frame.scrollTop,
  };
}

function screenPointOf(boardPoint) {
  const { x, y, scale } = layOfBoard();
  return { x: x + boardPoint.x * scale, y: y + boardPoint.y * scale };
}

function boardPointAt(screenPoint) {
  const { x, y, scale } = layOfBoard();
  return { x: (screenPoint.x - x) / scale, y: (screenPoint.y - y) / scale };
}

// ---------------------------------------------------------------- moving the board

// The ruler says how large the drawings are at least: as the page had it, unless they are zoomed.
function sizeRuler() {
  const { box } = layOfBoard();
  const ruler = map.querySelector(".ruler");
  for (const side of ["width", "height"]) {
    ruler.dataset[side] ||= ruler.getAttribute(side);
    const size = view.scale === undefined ? ruler.dataset[side] : String(box[side] * view.scale);
    if (ruler.getAttribute(side) !== size) {
      ruler.setAttribute(side, size);
    }
  }
}

// Put a point of the board at a point of the screen, as far as the frame can scroll.
function putAt(boardPoint, screenPoint, behavior = "instant") {
  sizeRuler();
  const { x, y } = screenPointOf(boardPoint);
  frame.scrollBy({ left: x - screenPoint.x, top: y - screenPoint.y, behavior });
}

// What is in the middle is known at once; what goes with it is drawn once in a frame, however often the board moves.
function keepView() {
  if (map) {
    Object.assign(view, boardPointAt(middleOf(frame)));
    nextFrame ||= requestAnimationFrame(drawAround);
  }
}

function drawAround() {
  nextFrame = 0;
  const lay = layOfBoard();
  const hidden = hiddenMarks(lay);
  drawAxes(lay); // from here on it is written: to ask once more would lay the page out twice
  countHidden(hidden);
  const scale = lay.scale.toFixed(2);
  for (const layer of map.querySelectorAll(".targets")) {
    layer.style.setProperty("--scale", scale); // names keep their size; on the map, all of it would be styled anew
  }
  for (const drawing of map.querySelectorAll(".board")) {
    drawing.classList.toggle("near", lay.scale > NEAR);
  }
  clearTimeout(rest);
  rest = setTimeout(storeView, REST);
}

function storeView() {
  sessionStorage[viewName] = JSON.stringify(view);
}

// ---------------------------------------------------------------- columns, rows, and spaces out of sight

function cellOf(element) {
  const [x, y] = element.dataset.at.split(",").map(Number);
  return { x, y };
}

const middleOfCell = ({ x, y }) => ({ x: 100 * x + 50, y: 100 * y + 50 });

// The numbers of all cells along one edge of the frame. The browser moves them with the board. They are made anew only
// for another scale, board or chosen place: what comes or goes lets the browser work out all styles.
function drawAxis(name, side, { scale, [side]: zero }, length, chosen) {
  const axis = frame.querySelector(name);
  const made = `${scale} ${zero} ${length} ${chosen}`;
  if (axis.dataset.made === made) {
    return;
  }
  const numbers = [];
  for (let cell = Math.ceil(-zero / scale / 100 - 0.5); zero + (100 * cell + 50) * scale < length; cell += 1) {
    const number = document.createElement("span");
    number.textContent = String(cell).replace("-", "−");
    number.classList.toggle("here", cell === chosen);
    number.style[side] = `${zero + (100 * cell + 50) * scale}px`;
    numbers.push(number);
  }
  axis.replaceChildren(...numbers);
  axis.dataset.made = made;
}

function drawAxes(lay) {
  const { scrollWidth, scrollHeight } = frame;
  const candidate = map.querySelector(".candidate");
  const chosen = candidate ? cellOf(candidate) : {};
  drawAxis(".columns", "left", lay, scrollWidth, chosen.x);
  drawAxis(".rows", "top", lay, scrollHeight, chosen.y);
}

// The marks out of sight, by the edge beyond which each lies furthest.
function hiddenMarks(lay) {
  const { left, top, right, bottom } = frame.getBoundingClientRect();
  const hidden = { north: [], west: [], east: [], south: [] };
  for (const mark of map.querySelectorAll("a[data-at]")) {
    const middle = middleOfCell(cellOf(mark));
    const x = lay.x + middle.x * lay.scale;
    const y = lay.y + middle.y * lay.scale;
    const beyond = { north: top + HIDES - y, west: left + HIDES - x, east: x - right, south: y - bottom };
    const edge = Object.keys(beyond).reduce((one, other) => (beyond[other] > beyond[one] ? other : one));
    if (beyond[edge] > 0) {
      hidden[edge].push(mark);
    }
  }
  return hidden;
}

// What an arrow says, in the plural form that the language has for this number.
function labelOf(arrow, number) {
  const alike = [1, 2, 5].find((one) => plural.select(one) === plural.select(number));
  return arrow.dataset[`say-${alike}`].replace(alike, number);
}

function countHidden(hidden) {
  for (const [edge, marks] of Object.entries(hidden)) {
    const arrow = document.querySelector(`.arrow.${edge}`);
    const number = marks.length;
    if (arrow.textContent !== String(number)) {
      arrow.firstChild.data = number; // no new node, which would cost a new layout
      arrow.ariaLabel = labelOf(arrow, number);
      arrow.hidden = !number;
    }
  }
}

// Glide to the nearest mark beyond that edge.
function followArrow(arrow) {
  const middle = middleOf(frame);
  const far = (mark) => farFrom(middleOf(mark), middle);
  const nearest = hiddenMarks(layOfBoard())[arrow.classList[1]].reduce((one, other) => (far(other) < far(one) ? other : one));
  putAt(middleOfCell(cellOf(nearest)), middle, matchMedia(CALM).matches ? "instant" : "smooth");
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

function middleOfBox() {
  const { box } = layOfBoard();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

// Zoom around a point that stays where it is, and glide there; what fits comes into the middle.
function zoom(factor, around = middleOf(frame)) {
  const before = layOfBoard().scale;
  zoomAndMove(factor, around, around);
  if (!factor) {
    putAt(middleOfBox(), middleOf(frame));
  }
  if (matchMedia(CALM).matches) {
    return;
  }
  const { x, y } = map.getBoundingClientRect();
  map.style.transformOrigin = `${around.x - x}px ${around.y - y}px`;
  map.animate({ scale: [before / layOfBoard().scale, 1] }, { duration: 200, easing: "ease-out" });
}

// ---------------------------------------------------------------- coming to a board

// As near to a point as the board reaches; where all of it is seen, its middle.
function within(point, start, length, reach) {
  return length < 2 * reach ? start + length / 2 : Math.max(start + reach, Math.min(point, start + length - reach));
}

// Without a view of one's own: the cell that was chosen, or where the last tile lies.
function pointToShow(chosen) {
  const alone = frame.closest(".alone"); // the final scoring of one feature shows that feature
  if ("x" in view && !alone) {
    return view;
  }
  const { box, scale } = layOfBoard();
  const point = boardPointAt(middleOf(chosen || map.querySelector(".last, .gain") || frame));
  return {
    x: within(point.x, box.x, box.width, frame.clientWidth / scale / 2),
    y: within(point.y, box.y, box.height, frame.clientHeight / scale / 2),
  };
}

// Near enough to choose a place for a meeple, with all rings in sight.
function showChosen(cell) {
  const { scale } = layOfBoard();
  if (scale < 0.99 * TO_CHOOSE) {
    const before = { scale: undefined, ...view };
    zoom(TO_CHOOSE / scale, screenPointOf(middleOfCell(cell)));
    viewBefore = before;
  }
  const place = frame.getBoundingClientRect();
  const start = screenPointOf({ x: 100 * cell.x - 24, y: 100 * cell.y - 44 });
  const end = screenPointOf({ x: 100 * cell.x + 144, y: 100 * cell.y + 124 });
  frame.scrollBy(
    Math.min(0, start.x - place.left - EDGES.left) || Math.max(0, end.x - place.right + EDGES.right),
    Math.min(0, start.y - place.top - EDGES.top) || Math.max(0, end.y - place.bottom + EDGES.bottom),
  );
}

// The scale at which no two rings are nearer to one another than a finger is wide.
function scaleToTell(points) {
  const apart = points.flatMap((one, index) => points.slice(index + 1).map((other) => farFrom(one, other)));
  return Math.min(TO_CHOOSE, FINGER / Math.min(...apart));
}

// As many of the points as a frame of that size holds around one of them: the middle of those.
function middleOfMost(points, width, height) {
  const around = points.map((one) =>
    points.filter(({ x, y }) => Math.abs(x - one.x) < width / 2 && Math.abs(y - one.y) < height / 2),
  );
  const most = around.reduce((one, other) => (other.length > one.length ? other : one));
  const [x, y] = ["x", "y"].map((side) => most.reduce((sum, one) => sum + one[side], 0) / most.length);
  return { x, y };
}

// All that a question is about, once, where nothing lies over it; what is too small then to be told apart by a finger,
// nearer, with most of it in sight.
function showAsked(layer) {
  const { asked, wide, high } = layer.dataset;
  if (view.asked !== asked) {
    view.asked = asked;
    const { x, y, width, height } = frame.getBoundingClientRect();
    const free = { width: width - HIDES - BESIDE, height: height - HIDES - EDGES.bottom };
    const fits = Math.min(free.width / wide, free.height / high);
    const points = [...layer.querySelectorAll("a[data-at]:has(g.ground)")].map((one) => middleOfCell(cellOf(one)));
    const least = points.length ? scaleToTell(points) : 0;
    zoom(Math.max(1, Math.max(fits, least) / layOfBoard().scale));
    const { scale } = layOfBoard();
    const middle =
      scale > fits && points.length ? middleOfMost(points, free.width / scale, free.height / scale) : middleOfCell(cellOf(layer));
    putAt(middle, { x: x + HIDES + free.width / 2, y: y + HIDES + free.height / 2 });
    keepView(); // at once: a swap may be followed by another
  }
  map.querySelector(".chosen .coming")?.scrollIntoView({ block: "nearest" });
}

function restoreView() {
  frame = document.getElementById("frame");
  if (!frame) {
    return;
  }
  if (map !== frame.querySelector(".map")) {
    map = frame.querySelector(".map");
    document.querySelector(".zoom").hidden = false;
    listenToFrame();
  }
  const chosen = map.querySelector(".candidate");
  if (!chosen && viewBefore) {
    Object.assign(view, viewBefore);
    viewBefore = null;
  }
  putAt(pointToShow(chosen?.querySelector(".frame")), middleOf(frame));
  keepView();
  if (chosen) {
    showChosen(cellOf(chosen));
  }
  map.querySelectorAll("[data-asked]").forEach(showAsked);
}

// ---------------------------------------------------------------- hands on the board

// Where a pointer, or the middle of two fingers, has hold, and how far those are apart.
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

  // Also when the sheet below is drawn up; where that has all of the screen nothing is seen.
  new ResizeObserver(() => frame.clientHeight && restoreView()).observe(frame);

  on("dragstart", (event) => event.preventDefault());
  on("scroll", keepView);

  on("dblclick", (event) => {
    if (!event.target.closest("a")) {
      const { scale } = layOfBoard();
      zoom(scale > 1 ? 0 : DOUBLE_TAP / scale, event);
    }
  });

  on("wheel", (event) => {
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
  const arrow = target.closest(".arrow");
  if (arrow) {
    followArrow(arrow);
  }
});

addEventListener("pagehide", () => map && storeView());

addEventListener("htmx:afterSwap", ({ detail }) => {
  if (["table", "moment", "turn"].includes(detail.target.id)) {
    restoreView();
  }
});

addEventListener("htmx:afterSettle", keepView); // settling takes the class "near" away

restoreView();
