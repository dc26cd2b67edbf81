// The board in its frame, on every page that shows one: drag, two fingers, wheel, double tap and buttons.
//
// The browser's scroller pans it, so fingers have momentum, and keys and screen readers work. Panzoom 4.6.2 moves a
// board by transforms, which has none of that; its pinch drifts from the fingers, and after a swap it places the board
// one frame late. What is in the middle stays there when the board is zoomed, grows or is swapped.
//
// Points are {x, y}: on the screen in pixels, on the board in units, 100 to a tile.

const FINGER = 45; // px from the middle of a ring to that of another
const LARGEST = 3; // pixels per unit
const NEAR = 0.6; // from here on the drawing shows its decor on any screen
const TO_CHOOSE = 1.12; // from here on rings are as large as a finger
const TO_TELL = 0.7; // at which a past turn is shown
const LEAST = 0.48; // no smaller, so that all of what is spoken of is in sight
const DOUBLE_TAP = 1.2;
const SLACK = 6; // px that a mouse moves in a click
const GAP = 8; // px round what is brought into sight, for its outline
const PHONE = "(width < 960px)";
const REST = 200; // ms without a move, after which what is seen is stored
const plural = new Intl.PluralRules(document.documentElement.lang);
const CALM = "(prefers-reduced-motion: reduce)";

// What is seen of this board: its middle, and the scale if it was zoomed (0: as it fits).
const viewName = `board ${location.pathname.split("/")[2]}`;
const view = JSON.parse(sessionStorage[viewName] || "{}");
let passing = null; // what is seen while a turn is composed, or of the past: nothing of it is stored
let spokenSeen = true; // whether what is spoken of is in sight

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

const current = () => passing || view;

// The ruler says how large the drawings are at least: as the page had it, unless they are zoomed.
function sizeRuler() {
  const { box } = layOfBoard();
  const ruler = map.querySelector(".ruler");
  for (const side of ["width", "height"]) {
    ruler.dataset[side] ||= ruler.getAttribute(side);
    const { scale } = current();
    const size = scale === undefined ? ruler.dataset[side] : String(box[side] * scale);
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
    Object.assign(current(), boardPointAt(middleOf(frame)));
    nextFrame ||= requestAnimationFrame(drawAround);
  }
}

function drawAround() {
  nextFrame = 0;
  const lay = layOfBoard();
  const hidden = hiddenMarks(lay);
  spokenSeen = isSeen(lay);
  drawAxes(lay); // from here on it is written: to ask once more would lay the page out twice
  countHidden(hidden);
  const scale = lay.scale.toFixed(2);
  for (const layer of map.querySelectorAll(".targets")) {
    layer.style.setProperty("--scale", scale); // names keep their size; on the map, all of it would be styled anew
  }
  frame.classList.toggle("fits", isWhole());
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
  const { left, top, right, bottom } = insideAxes();
  const hidden = { north: [], west: [], east: [], south: [] };
  for (const mark of map.querySelectorAll("a[data-at]")) {
    const middle = middleOfCell(cellOf(mark));
    const x = lay.x + middle.x * lay.scale;
    const y = lay.y + middle.y * lay.scale;
    const beyond = { north: top - y, west: left - x, east: x - right, south: y - bottom };
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
    current().scale = Math.min(layOfBoard().scale * factor, LARGEST);
    current().own = current().scale;
  }
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

// ---------------------------------------------------------------- what is spoken of

const isPast = () => Boolean(frame.closest(".past"));

// Boxes are {left, top, right, bottom}.
function union(boxes) {
  return {
    left: Math.min(...boxes.map(({ left }) => left)),
    top: Math.min(...boxes.map(({ top }) => top)),
    right: Math.max(...boxes.map(({ right }) => right)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  };
}

const boxOfCell = ({ x, y }) => ({ left: 100 * x, top: 100 * y, right: 100 * x + 100, bottom: 100 * y + 100 });

// The box of a drawn element on the board, however far the drawing has glided.
function boxOnBoard(element) {
  const { x, y, width, height } = element.getBBox();
  const matrix = element.ownerSVGElement.getScreenCTM().inverse().multiply(element.getScreenCTM());
  const corner = new DOMPoint(x, y).matrixTransform(matrix);
  const other = new DOMPoint(x + width, y + height).matrixTransform(matrix);
  return union([corner, other].map((point) => ({ left: point.x, top: point.y, right: point.x, bottom: point.y })));
}

// Whether all of the board is in the frame, which then need not move from turn to turn.
function isWhole() {
  const { box, scale } = layOfBoard();
  return box.width * scale <= frame.clientWidth && box.height * scale <= frame.clientHeight;
}

// The thing spoken of: its name, its box, and the scale at which it is shown. The tile that is being laid with its
// choices, a feature that is told of, what a past turn did; else the last turn.
function findSpoken() {
  const told = [...map.querySelectorAll("#lit .light, #lit .here")];
  if (told.length && document.querySelector(".facts-card")) {
    return { name: "told", box: union(told.map(boxOnBoard)), always: true };
  }
  const chosen = map.querySelector(".candidate");
  if (chosen) {
    const tile = boxOfCell(cellOf(chosen));
    const rings = chosen.querySelector(".rings");
    const box = rings.childElementCount ? union([tile, boxOnBoard(rings)]) : tile;
    return { name: `chosen ${chosen.dataset.at}`, box, scale: TO_CHOOSE, always: true };
  }
  const laid = [...map.querySelectorAll("#lately .last")].at(-1);
  if (isPast()) {
    const gains = [...map.querySelectorAll("#lately .gain")];
    const moved = laid ? [] : [...map.querySelectorAll(".new, .gone")];
    const done = [laid, ...gains, ...moved].filter(Boolean).map(boxOnBoard);
    return {
      name: `past ${document.getElementById("to")?.value}`,
      box: done.length ? union(done) : boxOfCell({ x: 0, y: 0 }),
      middle: laid && (matchMedia(PHONE).matches || !isWhole()) ? boxOnBoard(laid) : null,
    };
  }
  return laid ? { name: `last ${document.getElementById("to")?.max}`, box: boxOnBoard(laid) } : null;
}

// ---------------------------------------------------------------- bringing it into sight

// The frame without the numbers of columns and rows.
function insideAxes() {
  const { left, top, right, bottom } = frame.getBoundingClientRect();
  return {
    left: left + frame.querySelector(".rows").offsetWidth,
    top: top + frame.querySelector(".columns").offsetHeight,
    right,
    bottom,
  };
}

const meet = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

// The part of the frame in which a box of that size is under nothing: of what lies on the map, each takes the side that
// leaves most of it.
function freePart({ width, height }) {
  let free = insideAxes();
  const over = frame.parentElement.parentElement.querySelectorAll(
    ".arrow, .zoom, .looks, .steps, .player, .told-of > div > *",
  );
  const room = ({ left, top, right, bottom }) => {
    const fits = Math.min((right - left) / width, (bottom - top) / height);
    return Math.min(fits, 1) + Math.max(0, (right - left) * (bottom - top)) / 1e8;
  };
  for (const one of over) {
    const cover = one.getBoundingClientRect();
    if (Math.min(cover.width, cover.height) < 2 || !one.checkVisibility({ visibilityProperty: true }) || !meet(cover, free)) {
      continue;
    }
    const parts = [
      { ...free, right: cover.left },
      { ...free, left: cover.right },
      { ...free, bottom: cover.top },
      { ...free, top: cover.bottom },
    ];
    free = parts.reduce((best, part) => (room(part) > room(best) ? part : best));
  }
  return { left: free.left + GAP, top: free.top + GAP, right: free.right - GAP, bottom: free.bottom - GAP };
}

const sizeOf = ({ left, top, right, bottom }, scale = 1) => ({
  width: (right - left) * scale,
  height: (bottom - top) * scale,
});

const middleOfSides = ({ left, top, right, bottom }) => ({ x: (left + right) / 2, y: (top + bottom) / 2 });

function onScreen(box, { x, y, scale }) {
  return {
    left: x + box.left * scale,
    top: y + box.top * scale,
    right: x + box.right * scale,
    bottom: y + box.bottom * scale,
  };
}

function isSeen(lay) {
  const spoken = findSpoken();
  return !spoken || meet(onScreen(spoken.box, lay), insideAxes());
}

// How far a stretch must move to lie within another; in its middle if it is longer.
function shift(start, end, from, to) {
  if (end - start > to - from) {
    return (from + to - start - end) / 2;
  }
  return Math.max(0, from - start) || Math.min(0, to - end);
}

// Zoom around a point of the board; the scale that was chosen is remembered.
function zoomTo(scale, point, how = zoom) {
  const { own } = current();
  const at = screenPointOf(point);
  how(scale / layOfBoard().scale, at, at);
  current().own = own;
}

// Move a box of the board no further than it takes to have it in sight, or with `middle` that into the middle; farther
// away if it is too large.
function bring({ box, middle, scale }) {
  if (scale && layOfBoard().scale < 0.99 * scale) {
    zoomTo(scale, middleOfSides(box));
  }
  for (let pass = 0; pass < 3; pass += 1) {
    const size = sizeOf(box, layOfBoard().scale);
    const free = freePart(size);
    const room = sizeOf(free);
    let fits = Math.min(room.width / size.width, room.height / size.height);
    if (middle) {
      const heart = middleOfSides(middle);
      const reach = Math.max(heart.x - box.left, box.right - heart.x) * 2;
      const rise = Math.max(heart.y - box.top, box.bottom - heart.y) * 2;
      fits = Math.min(room.width / reach, room.height / rise) / layOfBoard().scale;
    }
    if (fits < 0.99) {
      zoomTo(Math.max(LEAST, layOfBoard().scale * fits), middleOfSides(middle || box), zoomAndMove);
    }
    if (middle) {
      putAt(middleOfSides(middle), middleOfSides(free));
    } else {
      const now = onScreen(box, layOfBoard());
      frame.scrollBy({
        left: -shift(now.left, now.right, free.left, free.right),
        top: -shift(now.top, now.bottom, free.top, free.bottom),
        behavior: "instant",
      });
    }
    countHidden(hiddenMarks(layOfBoard())); // arrows that come lie on the map, too
  }
}

// At least one of what may be chosen, the nearest one, beside what is in sight already.
function bringOne(choices, box) {
  const lay = layOfBoard();
  const within = (one) => {
    const free = freePart(sizeOf(one, lay.scale));
    const now = onScreen(one, lay);
    return now.left >= free.left && now.top >= free.top && now.right <= free.right && now.bottom <= free.bottom;
  };
  if (!choices.length || choices.some(within)) {
    return;
  }
  const heart = box ? middleOfSides(box) : boardPointAt(middleOf(frame));
  const far = (one) => farFrom(middleOfSides(one), heart);
  const nearest = choices.reduce((one, other) => (far(other) < far(one) ? other : one));
  if (box) {
    bring({ box: union([box, nearest]) });
  }
  bring({ box: nearest });
}

// What is new, or was in sight, is in sight: whoever has moved the board away from it meanwhile wants to see something
// else. News that comes by itself moves nothing.
function showSpoken({ resized, byItself }) {
  const spoken = findSpoken();
  const wanted = resized ? spokenSeen : !byItself && current().spoken !== spoken?.name;
  if (spoken && (wanted || spoken.always)) {
    if (isPast()) {
      toTell();
    }
    bring(findSpoken());
  }
  if ((wanted || resized) && !map.querySelector(".candidate")) {
    bringOne([...map.querySelectorAll("a.mark")].map((mark) => boxOfCell(cellOf(mark))), spoken?.box);
  }
  if (spoken?.name !== "told" && !byItself) {
    current().spoken = spoken?.name; // a card that is closed leaves the board where it is
  }
}

// The past is seen at the scale that was chosen, or at which a tile can be told.
function toTell() {
  current().scale = current().own;
  sizeRuler();
  if (!current().own && layOfBoard().scale < TO_TELL) {
    zoomTo(TO_TELL, middleOfBox(), zoomAndMove);
  }
}

// ---------------------------------------------------------------- coming to a board

// As near to a point as the board reaches; where all of it is seen, its middle.
function within(point, start, length, reach) {
  return length < 2 * reach ? start + length / 2 : Math.max(start + reach, Math.min(point, start + length - reach));
}

// Without a view of one's own: the cell that was chosen, or where the last tile lies.
function pointToShow() {
  if (frame.closest(".whole") && isWhole()) {
    return middleOfBox();
  }
  const seen = current();
  if ("x" in seen) {
    return seen;
  }
  const { box, scale } = layOfBoard();
  const spoken = findSpoken();
  const point = spoken ? middleOfSides(spoken.box) : middleOfBox();
  return {
    x: within(point.x, box.x, box.width, frame.clientWidth / scale / 2),
    y: within(point.y, box.y, box.height, frame.clientHeight / scale / 2),
  };
}

function beginPassing() {
  const wanted = isPast() ? "past" : map.querySelector(".candidate") ? "turn" : "";
  if ((passing?.kind || "") === wanted) {
    return;
  }
  passing = wanted ? { scale: undefined, ...view, own: view.scale, spoken: "", kind: wanted } : null;
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
    const free = freePart({ width: wide * layOfBoard().scale, height: high * layOfBoard().scale });
    const room = sizeOf(free);
    const fits = Math.min(room.width / wide, room.height / high);
    const points = [...layer.querySelectorAll("a[data-at]:has(g.ground)")].map((one) => middleOfCell(cellOf(one)));
    const least = points.length ? scaleToTell(points) : 0;
    zoom(Math.max(fits, least, LEAST) / layOfBoard().scale);
    const { scale } = layOfBoard();
    const middle =
      scale > fits && points.length ? middleOfMost(points, room.width / scale, room.height / scale) : middleOfCell(cellOf(layer));
    putAt(middle, middleOfSides(free));
    bringOne([...layer.querySelectorAll("a[data-at]")].map(boxOnBoard));
    keepView(); // at once: a swap may be followed by another
  }
  map.querySelector(".chosen .coming")?.scrollIntoView({ block: "nearest" });
}

function restoreView(why = {}) {
  frame = document.getElementById("frame");
  if (!frame?.clientHeight) {
    return;
  }
  if (map !== frame.querySelector(".map")) {
    map = frame.querySelector(".map");
    document.querySelector(".zoom").hidden = false;
    if (frame.closest(".whole")) {
      delete view.scale; // the end of a game shows all of it, however near one looked before
    }
    listenToFrame();
  }
  beginPassing();
  putAt(pointToShow(), middleOf(frame));
  const asked = map.querySelector("[data-asked]");
  if (asked) {
    showAsked(asked);
  } else {
    showSpoken(why);
  }
  keepView();
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
  const axis = frame.querySelector(".columns"); // as high as letters are large
  const measure = () => ({ ...sizeOf(frame.getBoundingClientRect()), letters: axis.offsetHeight });
  let size = measure();
  const observer = new ResizeObserver(() => {
    const now = measure();
    if (!now.height || Object.keys(now).every((side) => now[side] === size[side])) {
      return; // nothing is seen of it, or it is being observed from now on
    }
    if (Math.max(Math.abs(now.width - size.width), Math.abs(now.height - size.height)) > FINGER) {
      delete view.asked; // a line more in the dock moves nothing under a finger
    }
    size = now;
    restoreView({ resized: true });
  });
  observer.observe(frame);
  observer.observe(axis);

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
  if (["table", "moment", "turn", "facts"].includes(detail.target.id)) {
    restoreView({ byItself: detail.target.id === "table" && detail.requestConfig?.verb === "get" });
  }
});

addEventListener("htmx:afterSettle", keepView); // settling takes the class "near" away

restoreView();
