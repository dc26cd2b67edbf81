// Plays a game back along its links, and copies.
const one = (path) => document.querySelector(path);
const link = (rel) => one(`#moment a[rel=${rel}]`);
const on = addEventListener;
const button = one("#playing");
let run = 0;

function set(id = 0) {
  if (button) button.dataset.run = id;
  return (run = id);
}

const toggle = () => step(set(run ? 0 : Date.now()));
const wait = () => setTimeout(step, one("#pace").value, run);

async function step(id) {
  const url = (link("next") || link("first"))?.href;
  if (!id || id !== run || !url) return;
  await htmx.ajax("GET", url, { source: "#moment" }).catch(Boolean);
  if (link("next")?.href === url) return set();
  if (id === run) one("[data-stops]") ? set() : wait();
}

on("click", ({ target }) => {
  if (target === button) toggle();
  const { copy, done } = target.dataset;
  if (!copy) return;
  one(copy).select();
  navigator.clipboard?.writeText(one(copy).value);
  target.textContent = done;
});
on("keydown", (event) => {
  if (event.key === " " && button && event.target.tabIndex < 0) event.preventDefault(toggle());
});
on("htmx:afterSwap", () => run && one(".map .last, .gain")?.scrollIntoView({ block: "nearest", inline: "nearest" }));
on("visibilitychange", () => document.hidden && set());
on("htmx:beforeRequest", ({ detail }) => detail.elt.id === "moment" || set());

if (button && location.hash === "#play" && !matchMedia("(prefers-reduced-motion)").matches) wait(set(Date.now()));
