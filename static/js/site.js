// On every page: the time zone at sign-up, forms that are sent once, parts that wait for news, a lost
// connection, copying and sharing.

// What the page says of a request that got no answer, or of one that can't be sent.
function toggleTrouble(shown) {
  document.querySelector("#trouble").hidden = !shown;
}

// Sign-up: the browser's time zone, unless another one was chosen.
function guessTimeZone(select) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const untouched = select.value === select.dataset.guessTimeZone;
  const place = select.querySelector(`[value="${zone}"], [data-also~="${zone}"]`);
  if (untouched && place) {
    place.selected = true;
  }
}

for (const select of document.querySelectorAll("select[data-guess-time-zone]")) {
  guessTimeZone(select);
}

// A button is not pressed twice. Forms that htmx sends look after that themselves (hx-disabled-elt).
addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented || form.matches("[hx-post]")) {
    return;
  }
  // Without a connection the browser would put a page of its own in the place of this one.
  if (!navigator.onLine) {
    event.preventDefault();
    toggleTrouble(true);
    return;
  }
  if (form.dataset.sent) {
    event.preventDefault();
  }
  form.dataset.sent = "yes";
});

// A page that comes back from the browser's memory can be sent again.
addEventListener("pageshow", () => {
  for (const form of document.forms) {
    delete form.dataset.sent;
  }
});

// A part that waits for news asks rarely while nobody looks, and at once when somebody looks again.
const WAITING = "[hx-trigger$=look]";
const RARELY = 5 * 60 * 1000; // ms
let lastAsked = Date.now();

addEventListener("htmx:beforeRequest", (event) => {
  if (!event.detail.elt.matches(WAITING)) {
    return;
  }
  if (document.hidden && Date.now() - lastAsked < RARELY) {
    event.preventDefault();
  } else {
    lastAsked = Date.now();
  }
});

function look() {
  if (document.hidden) {
    return;
  }
  for (const part of document.querySelectorAll(WAITING)) {
    htmx.trigger(part, "look");
  }
}

addEventListener("visibilitychange", look);
addEventListener("online", look);

// A request that got no answer, or one of a site that is away: the page stays as it is, with all that was typed or
// chosen. Looking for news fails quietly, and goes on.
function showTrouble({ detail }) {
  if (!detail.elt.matches(WAITING)) {
    toggleTrouble(true);
  }
}

addEventListener("htmx:responseError", showTrouble);
addEventListener("htmx:sendError", showTrouble);
addEventListener("htmx:timeout", showTrouble);

addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.shouldSwap) {
    toggleTrouble(false);
  }
});

// Copying the text of a field, and sharing a link where the device can.
addEventListener("click", ({ target }) => {
  const { copy, done, share } = target.dataset;
  const field = copy && document.querySelector(copy);
  if (field) {
    field.select(); // where the clipboard is closed to us, the reader's own key copies it
    navigator.clipboard?.writeText(field.value);
    target.textContent = done;
  } else if (share) {
    navigator.share({ url: share }).catch(() => {}); // closing the sheet is no fault
  }
});

if (navigator.share) {
  document.body.classList.add("can-share");
}
