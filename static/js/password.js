// Password fields: a button shows what was typed. Sent is a password field again, so that browsers keep it as one.

function show(button, field, shown) {
  field.type = shown ? "text" : "password";
  field.spellcheck = false; // some browsers send what they check
  button.setAttribute("aria-pressed", shown);
}

for (const button of document.querySelectorAll("button[data-shows]")) {
  const field = document.getElementById(button.dataset.shows);
  button.hidden = false;
  button.addEventListener("click", () => show(button, field, field.type === "password"));
  field.form.addEventListener("submit", () => show(button, field, false));
}
