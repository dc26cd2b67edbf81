// What somebody changes in a form while parts of it are being fetched is put into the parts that come: the last
// touch wins over what was asked for before it.
const UNDER_WAY = ".htmx-request, .htmx-swapping, .htmx-settling";
const changedMeanwhile = new Map();

function isChoice(field) {
  return field.type === "checkbox" || field.type === "radio";
}

function findField({ form, name, choice }) {
  return [...form.elements].find((field) => field.name === name && (!isChoice(field) || field.value === choice));
}

function noteChange({ target }) {
  const { form, name, value, checked } = target;
  if (!form || !name) {
    return;
  }
  const choice = isChoice(target) ? value : undefined;
  const key = JSON.stringify([form.action, name, choice]);
  changedMeanwhile.delete(key);
  if (form.querySelector(UNDER_WAY)) {
    changedMeanwhile.set(key, { form, name, choice, value, checked });
  }
}

addEventListener("input", noteChange, true);
addEventListener("change", noteChange, true);

addEventListener("htmx:afterSettle", () => {
  const changes = [...changedMeanwhile.values()];
  changedMeanwhile.clear();
  for (const change of changes) {
    const field = findField(change);
    const is = isChoice(field ?? {}) ? "checked" : "value";
    if (field && field[is] !== change[is]) {
      field[is] = change[is];
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
  }
});
