// A key presses or focuses what has it as data-key; arrows walk between marks.
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function neighbour(mark, [right, down]) {
  const from = mark.getBoundingClientRect();
  let best,
    least = Infinity;
  for (const other of document.querySelectorAll(".map .mark")) {
    const box = other.getBoundingClientRect();
    const [x, y] = [box.x - from.x, box.y - from.y];
    const ahead = x * right + y * down;
    const far = ahead + 2 * Math.abs(x * down + y * right);
    if (ahead > 1 && far < least) [best, least] = [other, far];
  }
  return best;
}

addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, select, dialog")) return;
  const way = target.closest("#frame") && WAYS[key];
  let thing;
  if (way) thing = target.matches(".mark") && neighbour(target, way);
  else if (!document.body.dataset.keys) thing = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!thing) return; // an arrow scrolls
  event.preventDefault();
  if (way || "focus" in thing.dataset) thing.focus();
  else thing.click();
});

addEventListener("htmx:afterSwap", ({ detail: { target } }) => target.id === "keys" && target.showModal());
