const on = addEventListener;

// Sign-up: the browser's time zone, unless one was chosen.
for (const select of document.querySelectorAll("select[data-guess-time-zone]")) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (select.value === select.dataset.guessTimeZone && select.querySelector(`[value="${zone}"]`)) select.value = zone;
}

// A button is not pressed twice, but again on a page that comes back from the browser's memory.
on("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented || form.matches("[hx-post]")) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
});
on("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
});

// A page that waits for news asks rarely while nobody looks, and at once when somebody looks again.
const waiting = "[hx-trigger$=look]";
let asked = Date.now();
on("htmx:beforeRequest", (event) => {
  if (!event.detail.elt.matches(waiting)) return;
  if (document.hidden && Date.now() - asked < 300_000) event.preventDefault();
  else asked = Date.now();
});
on("visibilitychange", () => {
  if (!document.hidden) for (const part of document.querySelectorAll(waiting)) htmx.trigger(part, "look");
});
