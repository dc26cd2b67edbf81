// On every page: a key presses what has it as data-key, or focuses it where it has data-focus, too. On a board the
// arrows walk from mark to mark. Players can switch the keys off in their settings, but not the arrows.

const WAYS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

// The nearest mark that lies ahead; what lies beside the way counts twice as far.
function neighbour(mark, [right, down]) {
  const from = mark.getBoundingClientRect();
  let nearest;
  let least = Infinity;
  for (const other of document.querySelectorAll(".map .mark")) {
    const box = other.getBoundingClientRect();
    const x = box.x - from.x;
    const y = box.y - from.y;
    const ahead = x * right + y * down;
    const beside = Math.abs(x * down + y * right);
    const distance = ahead + 2 * beside;
    if (ahead > 1 && distance < least) {
      nearest = other;
      least = distance;
    }
  }
  return nearest;
}

function isTyping(event) {
  return event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog");
}

// Within the board an arrow belongs to the marks: where there is none ahead it scrolls, and presses no link.
function walk(event, way) {
  const next = event.target.matches(".mark") && neighbour(event.target, way);
  if (next) {
    event.preventDefault();
    next.focus();
  }
}

function press(event) {
  const named = `[data-key="${CSS.escape(event.key)}"]`;
  // What lies over the page closes first.
  const element = document.querySelector(`[data-close]${named}`) || document.querySelector(named);
  if (!element) {
    return;
  }
  event.preventDefault();
  if ("focus" in element.dataset) {
    const panel = element.closest(".panel"); // which may be closed
    document.querySelector(`a[data-tab][href="#${panel?.id}"]`)?.click();
    element.focus();
  } else {
    // Links in the board are SVG elements, which have no click().
    element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, view: window }));
  }
}

addEventListener("keydown", (event) => {
  if (isTyping(event)) {
    return;
  }
  const way = event.target.closest("#frame") && WAYS[event.key];
  if (way) {
    walk(event, way);
  } else if (!document.body.dataset.keys) {
    press(event);
  }
});

// A key may lead to a field of another page.
document.querySelector(":target[data-focus]")?.focus();

// The sheet that explains the keys has come.
addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id === "keys") {
    event.detail.target.showModal();
  }
});
