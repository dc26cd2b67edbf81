// A link to copy and, where the device can, to share. Both buttons are hidden where nothing would come of them.

const linkOf = (id) => document.getElementById(id).textContent.trim();

function show() {
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = !navigator.clipboard;
  }
  for (const button of document.querySelectorAll("[data-share]")) {
    button.hidden = !navigator.share;
  }
}

async function copy(button) {
  await navigator.clipboard.writeText(linkOf(button.dataset.copy));
  button.textContent = button.dataset.done; // said by screen readers, which have the focus there
}

// Who closes the sheet without choosing has changed their mind: no fault.
function share(button) {
  const { share: id, title } = button.dataset;
  navigator.share({ title, url: linkOf(id) }).catch(() => {});
}

addEventListener("click", ({ target }) => {
  const button = target.closest("[data-copy], [data-share]");
  if (button?.dataset.copy) {
    copy(button);
  } else if (button) {
    share(button);
  }
});
addEventListener("htmx:load", show); // the waiting room comes anew when somebody sits down
show();
