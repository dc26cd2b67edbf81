// The board's small comforts: its place in the frame is kept, keys press links, news is looked for. Everything
// works without them.
"use strict";

(() => {
  const byId = (id) => document.getElementById(id);
  document.documentElement.classList.add("js");
  const place = {}; // where the board was scrolled to, and how large it was made

  // ---------------------------------------------------------------- the frame

  const ruler = () => document.querySelector(".map .ruler");

  function enlarge(factor) {
    const line = ruler();
    if (!line) return;
    line.dataset.width ||= line.getAttribute("width");
    line.dataset.height ||= line.getAttribute("height");
    for (const side of ["width", "height"]) line.setAttribute(side, Math.round(line.dataset[side] * factor));
  }

  function zoom(by) {
    const frame = byId("frame");
    const before = [frame.scrollWidth, frame.scrollHeight];
    const middle = [frame.scrollLeft + frame.clientWidth / 2, frame.scrollTop + frame.clientHeight / 2];
    if (by) {
      // The board may be larger than its ruler, so start from what is seen.
      const line = ruler();
      const smallest = Number(line.dataset.width || line.getAttribute("width"));
      const seen = Math.max(place.factor || 1, Math.min(frame.scrollWidth / smallest, frame.scrollHeight / Number(line.dataset.height || line.getAttribute("height"))));
      place.factor = Math.min(6, Math.max(1, seen * by));
    } else {
      place.factor = 1;
    }
    enlarge(place.factor);
    frame.scrollLeft = (middle[0] / before[0]) * frame.scrollWidth - frame.clientWidth / 2;
    frame.scrollTop = (middle[1] / before[1]) * frame.scrollHeight - frame.clientHeight / 2;
    keep();
  }

  function keep() {
    const frame = byId("frame");
    if (!frame) return;
    place.left = frame.scrollLeft;
    place.top = frame.scrollTop;
    sessionStorage.setItem(`board ${code()}`, JSON.stringify(place));
  }

  const code = () => location.pathname.split("/")[2];

  function restore() {
    const frame = byId("frame");
    if (!frame) return;
    document.querySelector(".zoom").hidden = false;
    if (place.factor > 1) enlarge(place.factor);
    if (place.left === undefined) {
      show(document.querySelector(".map .candidate") || document.querySelector(".map .last"));
    } else {
      frame.scrollLeft = place.left;
      frame.scrollTop = place.top;
    }
    frame.addEventListener("scroll", keep, { passive: true });
  }

  function show(thing) {
    const frame = byId("frame");
    if (!thing) return;
    const at = thing.getBoundingClientRect();
    const box = frame.getBoundingClientRect();
    frame.scrollLeft += at.x + at.width / 2 - box.x - box.width / 2;
    frame.scrollTop += at.y + at.height / 2 - box.y - box.height / 2;
  }

  try {
    Object.assign(place, JSON.parse(sessionStorage.getItem(`board ${code()}`)));
  } catch {
    // Nothing kept, or nothing that can be read: the board starts in the middle.
  }
  restore();

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-zoom]");
    if (button) zoom(Number(button.dataset.zoom));
  });

  // ---------------------------------------------------------------- what htmx brings

  document.addEventListener("htmx:afterSwap", (event) => {
    const part = event.detail.target;
    if (!part) return;
    if (part.id === "table" || part.id === "moment") restore();
    if (part.id === "turn" && document.activeElement === document.body) byId("turn").focus({ preventScroll: true });
    const said = byId(part.id)?.dataset.say;
    if (said) byId("announce").textContent = said;
  });

  document.addEventListener("htmx:historyRestore", restore);

  document.addEventListener("htmx:afterRequest", (event) => {
    const form = event.detail.elt;
    if (form.id === "talk-form" && event.detail.successful && !byId("talk-lines").querySelector(".error")) form.reset();
  });

  // A request that failed says so; the next one that works takes it back. Looking for news fails quietly.
  for (const kind of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(kind, (event) => {
      if (event.detail.elt.id !== "watch") byId("trouble").hidden = false;
    });
  }
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.shouldSwap) byId("trouble").hidden = true;
  });

  // Nobody looks: ask for news only now and then, and at once when somebody looks again.
  let asked = Date.now();
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt.id !== "watch") return;
    if (document.hidden && Date.now() - asked < 300_000) event.preventDefault();
    else asked = Date.now();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && byId("watch")) htmx.trigger("#watch", "look");
  });

  // ---------------------------------------------------------------- keys and slider

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
    if (event.target.closest("#frame") && event.key.startsWith("Arrow")) return; // scrolls the board
    const link = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (link) {
      event.preventDefault();
      link.click();
    }
  });

  document.addEventListener("change", (event) => {
    if (event.target.id === "to") event.target.form.requestSubmit();
  });
  document.addEventListener("input", (event) => {
    if (event.target.id === "to") event.target.form.querySelector("output").textContent = `${event.target.value} / ${event.target.max}`;
  });
})();
