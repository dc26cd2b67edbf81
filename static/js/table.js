// Says what htmx brings to the board, what fails, what is pointed at or tapped; keeps what lies over it.
const byId = (id) => document.getElementById(id);
const box = (one) => one?.getBoundingClientRect();
const on = addEventListener;
const thing = (one) => one?.closest(".feature, .space");
const hint = (text) => byId("hint")?.replaceChildren(text);
const tell = ({ target }) => hint(thing(target)?.ariaLabel || "");
let pointed = {};
let tapped;

function tap() {
  const it = tapped && thing(document.elementFromPoint(tapped.x, tapped.y));
  if (it) htmx.trigger(it, "click");
}

// What is told of a place lies beside it, where there is more room.
function clear() {
  const card = byId("facts").firstElementChild;
  const { x, y } = pointed;
  const { left, right, top, bottom } = box(document.querySelector("#lit .here")) || new DOMRect(x - 22, y - 22, 44, 44);
  const now = box(card);
  if (!(now?.left < right && left < now.right && now.top < bottom && top < now.bottom)) return;
  const frame = box(byId("frame"));
  const above = top - Math.max(frame.top, 0);
  const below = Math.min(frame.bottom, innerHeight) - bottom;
  const high = Math.min(Math.max(above, below) - 16, now.height);
  card.style.height = `${high}px`;
  card.style.translate = `0 ${(above > below ? top - 8 - high : bottom + 8) - box(card).top}px`;
}

on("pointerover", tell);
on("focusin", tell);
on("click", (event) => {
  const at = event.target;
  hint("");
  if (event.isTrusted) pointed = event;
  tapped = at.closest("#frame") && !at.closest("a") && event;
  tap();
  if (at.closest("[data-close]")) {
    event.preventDefault();
    byId("facts").innerHTML = byId("lit").innerHTML = "";
  }
});

on("htmx:beforeSwap", ({ detail }) => (byId("trouble").hidden ||= detail.shouldSwap));
on("htmx:afterSwap", ({ detail }) => {
  const { id } = detail.target;
  const own = id === "turn" || (id === "table" && detail.requestConfig.verb === "post");
  if (own && document.activeElement === document.body) byId("turn").focus({ preventScroll: true });
  if (id === "facts") clear();
  if (id === "looks") sessionStorage.show = byId(id).querySelector("[aria-current]")?.id;
  const said = byId(id)?.dataset.say;
  if (said) byId("announce").textContent = said;
});
on("htmx:afterSettle", ({ target: { id } }) => {
  if (id !== "features") return;
  tap();
  byId("first")?.focus();
});
on("htmx:load", ({ target }) => {
  const look = target.matches("body, .table") && byId(sessionStorage.show);
  if (look && !look.ariaCurrent && navigator.onLine) look.click();
});
on("htmx:afterRequest", ({ detail: { elt, successful } }) => {
  if (successful && elt.matches(".talk:not(:has(.error)) form")) elt.reset();
});

// Looking for news fails quietly.
const fails = ({ detail: { elt } }) => (byId("trouble").hidden &&= elt.id === "watch");
for (const kind of ["responseError", "sendError", "timeout"]) on(`htmx:${kind}`, fails);

on("change", ({ target }) => target.id === "to" && target.form.requestSubmit());
on("input", ({ target: { id, form, value, max } }) => id === "to" && (form.elements[1].value = `${value} / ${max}`));
