// On the pages of a game: what is told of features, tabs, parts that come, the slider.

const byId = (id) => document.getElementById(id);
let tapped; // the last click on the board that hit no link

// ---------------------------------------------------------------- features and spaces

const featureAt = (element) => element?.closest(".feature, .space");

function showHint(text) {
  byId("hint")?.replaceChildren(text);
}

// A choice in the panel lights up its place on the board.
function lightUp() {
  for (const choice of document.querySelectorAll("[data-lights]")) {
    byId(choice.dataset.lights).classList.toggle("pointed", choice.matches(":focus"));
  }
}

function hintAt(event) {
  lightUp();
  showHint(featureAt(event.target)?.ariaLabel || "");
}

// A tap asks about the feature under the finger. The first comes before their layer has been fetched.
function tap() {
  const feature = tapped && featureAt(document.elementFromPoint(tapped.x, tapped.y));
  if (feature) {
    htmx.trigger(feature, "click");
  }
}

function closeFacts() {
  byId("lit").replaceChildren();
  byId("facts").replaceChildren();
}

addEventListener("pointerover", hintAt);
addEventListener("focusin", hintAt);

addEventListener("click", (event) => {
  const { target } = event;
  showHint("");
  tapped = target.closest("#frame") && !target.closest("a") ? event : null;
  tap();
  if (target.closest("[data-close]")) {
    event.preventDefault();
    closeFacts();
  }
});

// The layer of features answers the tap, or takes the keyboard that asked for it.
addEventListener("htmx:afterSettle", ({ target }) => {
  if (target.id === "features") {
    tap();
    byId("first")?.focus();
  }
  lightUp();
});

// ---------------------------------------------------------------- what is laid over the board

// The choice stays while one looks at games, from board to board.
function rememberLook() {
  const look = byId("looks").querySelector("[aria-current]");
  if (look) {
    sessionStorage.show = look.id;
  } else {
    sessionStorage.removeItem("show");
  }
}

addEventListener("htmx:load", ({ target }) => {
  if (!target.matches("body, .table")) {
    return;
  }
  const look = byId(sessionStorage.show);
  if (look && !look.ariaCurrent && navigator.onLine) {
    look.click();
  }
});

// ---------------------------------------------------------------- the panel: tabs, and the sheet of a phone

const root = document.documentElement.dataset; // keeps what is open while the page changes under it
const PULL = 12; // px that a finger moves on the handle
let heldAt = 0;

// 0: the turn alone, 1: half of the screen, 2: all of it.
function setSheet(height) {
  root.sheet = Math.max(0, Math.min(2, height));
}

function markTab() {
  for (const tab of document.querySelectorAll(".tabs a")) {
    tab.ariaCurrent = tab.dataset.tab === (root.tab || "moves") || null;
  }
}

// What was asked of the board shows on it.
function showBoard() {
  if (root.sheet === "2") {
    setSheet(1);
  }
}

function openTab(name) {
  root.tab = name;
  setSheet(root.sheet || 1);
  markTab();
  document.querySelector(".over .tabs")?.scrollIntoView(); // at the end of a game they stand below the scores
}

// The tab with the part of the page that the address names.
function openNamed() {
  const panel = location.hash && document.querySelector(location.hash)?.closest(".panel");
  if (panel) {
    openTab(panel.id.slice("tab-".length));
  }
}

addEventListener("pointerdown", ({ y }) => {
  heldAt = y;
});

addEventListener("click", (event) => {
  const tab = event.target.closest("a[data-tab]");
  if (tab) {
    event.preventDefault();
    history.replaceState(history.state, "", tab.hash);
    openTab(tab.dataset.tab);
  }
  if (event.target.matches(".handle")) {
    const height = Number(root.sheet || 0);
    const pulled = event.detail && heldAt - event.y; // nothing by keyboard
    setSheet(Math.abs(pulled) > PULL ? height + Math.sign(pulled) : (height + 1) % 3);
  }
});

// The sheet goes down when a turn is begun: what is composed is on the board.
let composing = Boolean(document.querySelector(".candidate"));

function lowerForTurn() {
  const begun = Boolean(document.querySelector(".candidate"));
  if (begun && !composing) {
    setSheet(0);
  }
  composing = begun;
}

addEventListener("click", ({ target }) => {
  if (target.closest("[data-more]")) {
    setSheet(Number(root.sheet || 0) ? 0 : 1);
  }
});

addEventListener("htmx:afterSwap", markTab);
addEventListener("htmx:afterSwap", lowerForTurn);
addEventListener("hashchange", openNamed);
markTab();
openNamed();

// ---------------------------------------------------------------- parts that come

// Who was on something that is gone goes on at the turn.
function focusTurn(id) {
  const playing = id === "turn" || byId("played");
  if (playing && !document.querySelector(":focus")) {
    byId("turn").focus({ preventScroll: true });
  }
}

function announce(part) {
  if (part?.dataset.say) {
    byId("announce").textContent = part.dataset.say;
  }
}

addEventListener("htmx:afterSwap", ({ detail }) => {
  const { id } = detail.target;
  focusTurn(id);
  if (id === "facts") {
    showBoard();
  }
  if (id === "looks") {
    showBoard();
    rememberLook();
  }
  announce(byId(id)); // as it is now: the target itself is gone
});

// What was said goes from its field; what was refused stays.
addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.successful && detail.elt.matches(".talk:not(:has(.error)) form")) {
    detail.elt.reset();
  }
});

// ---------------------------------------------------------------- from the past back to a turn

const composedName = `composed ${location.pathname.split("/")[2]}`;
const lastPly = () => byId("to")?.max;

// What is being composed is in the address of the board; the past leads back to it, unless the game has gone on.
function rememberTurn() {
  if (byId("table")) {
    const turn = document.querySelector(".candidate, .question") && location.search;
    if (turn) {
      sessionStorage[composedName] = JSON.stringify([lastPly(), turn]);
    } else {
      sessionStorage.removeItem(composedName);
    }
  }
  const [ply, turn] = JSON.parse(sessionStorage[composedName] || "[]");
  for (const link of document.querySelectorAll("[data-back]")) {
    link.search = ply === lastPly() ? turn : "";
  }
}

addEventListener("htmx:afterSettle", rememberTurn);
addEventListener("pagehide", rememberTurn);
rememberTurn();

// ---------------------------------------------------------------- the slider through the turns

addEventListener("change", ({ target }) => {
  if (target.id === "to") {
    target.form.requestSubmit();
  }
});

addEventListener("input", ({ target }) => {
  if (target.id === "to") {
    target.form.querySelector("output").value = `${target.value} / ${target.max}`;
  }
});
