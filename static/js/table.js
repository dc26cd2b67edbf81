const byId = (id) => document.getElementById(id);
const on = addEventListener;
const thing = (one) => one?.closest(".feature, .space");
const hint = (text) => byId("hint")?.replaceChildren(text);
const tell = ({ target }) => hint(thing(target)?.ariaLabel || "");
let tapped;

function tap() {
  const it = tapped && thing(document.elementFromPoint(tapped.x, tapped.y));
  if (it) htmx.trigger(it, "click");
}

function beside(card, space = byId("lit").querySelector(".here")) {
  if (!space) return;
  const [a, b] = [card, space].map((one) => one.getBoundingClientRect());
  if (a.top > b.bottom || b.top > a.bottom || b.left > a.right) return;
  card.style.translate = `0 ${b.top > innerHeight / 2 ? b.top - a.bottom - 8 : b.bottom - a.top + 8}px`;
}

on("pointerover", tell);
on("focusin", tell);
on("click", (event) => {
  const at = event.target;
  hint("");
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
  if ((id === "turn" || byId("played")) && !document.querySelector(":focus"))
    byId("turn").focus({ preventScroll: true });
  if (id === "facts") beside(byId(id).firstChild);
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
for (const kind of ["responseError", "sendError", "timeout"])
  on(`htmx:${kind}`, ({ detail: { elt } }) => (byId("trouble").hidden &&= elt.id === "watch"));

on("change", ({ target }) => target.id === "to" && target.form.requestSubmit());
on("input", ({ target: { id, form, value, max } }) => id === "to" && (form.elements[1].value = `${value} / ${max}`));
