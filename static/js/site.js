// Small comforts; everything works without them.
"use strict";

// Sign-up: offer the browser's time zone, unless one was chosen already.
for (const select of document.querySelectorAll("select[data-guess-time-zone]")) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (select.value === select.dataset.guessTimeZone && zone && [...select.options].some((option) => option.value === zone)) {
    select.value = zone;
  }
}

// A button that was pressed is not pressed twice, and a page that comes back from the browser's memory
// can be sent again.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented || form.matches("[hx-post]")) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
});
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});
