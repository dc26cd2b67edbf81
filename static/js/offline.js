// On every page: what a player keeps on this device. Boards, as they were last seen, for templates/worker.js to show
// without a connection; and turns that could not be sent, which are offered again until they are played or forgotten.

const KEPT_BOARDS = 20;
const byId = (id) => document.getElementById(id);
const { player } = document.body.dataset;
const loaded = new Promise((done) => {
  addEventListener("load", done);
  if (document.readyState === "complete") {
    done();
  }
});
const turnPrefix = `turn ${player} `; // before the path of the board, in the names of kept turns

function forget(name) {
  localStorage.removeItem(name);
  showOffers();
}

// The card of a turn that waits on this device.
function offer(name) {
  const board = name.slice(turnPrefix.length);
  const { game, line, version } = JSON.parse(localStorage[name]);
  const card = byId("kept").content.cloneNode(true);
  card.querySelector("strong").textContent = `${game}: ${line.replace(/.*@/, "")}`;
  const link = card.querySelector("a");
  link.href = `${board}?${new URLSearchParams({ line, version })}`;
  link.hidden = location.search.includes("line="); // it is being looked at
  card.querySelector("button").onclick = () => forget(name);
  return card;
}

// Turns of this board, or of all boards in the list of games.
function showOffers() {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(turnPrefix));
  const shown = byId("games") ? names : names.filter((name) => name === turnPrefix + location.pathname);
  byId("offers").replaceChildren(...shown.map(offer));
}

// Only the board of a player has #memory, and a copy that the worker shows has it visible.
function mayBeKept() {
  return localStorage.player === player && byId("memory")?.hidden && !location.search;
}

// Talk and notes are not kept: without a connection nobody knows whether the session has ended elsewhere.
async function keepBoard() {
  const pages = await caches.open("boards");
  const copy = document.documentElement.cloneNode(true);
  copy.querySelectorAll("#tab-talk, #tab-notes").forEach((panel) => panel.replaceChildren());
  const [name, status] = ["h1", ".headline strong"].map((part) => document.querySelector(part)?.innerText ?? "");
  const board = encodeURIComponent(JSON.stringify({ name, status, seen: Date.now() })); // headers are Latin-1
  await pages.put(location.pathname, new Response(copy.outerHTML, { headers: { "x-board": board } }));
  const paths = await pages.keys(); // the oldest first
  for (const path of paths.slice(0, -KEPT_BOARDS)) {
    pages.delete(path);
  }
  await loaded; // a drawing may come late
  const files = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
  navigator.serviceWorker.ready.then(({ active }) => active.postMessage(files));
}

function forgetPlayedTurn() {
  const played = byId("played");
  if (played) {
    localStorage.removeItem(turnPrefix + location.pathname);
    played.removeAttribute("id"); // told once
  }
}

async function settle() {
  forgetPlayedTurn();
  showOffers();
  navigator.setAppBadge?.(byId("icon").dataset.waiting);
  if (mayBeKept()) {
    await keepBoard();
  }
}

function keepTurn(board, line, version) {
  const game = document.querySelector("h1").innerText;
  localStorage[turnPrefix + board] = JSON.stringify({ game, line, version });
  // What is kept is no trouble. js/site.js says that it is before or after this script hears of it, so its message goes away last.
  setTimeout(() => {
    byId("trouble").hidden = true;
  });
  showOffers();
}

// Composing a turn asks the site at every step: what was chosen so far goes on as a line to be typed.
function goOnTyping(field, query) {
  field.value = query
    .replace(/tile=([^&]+)&at=/, "$1@")
    .replace("&r=", " r")
    .replace("&recall=", " recall ")
    .replace(/&?\w+=|none/g, " ")
    .trim();
  document.querySelector('a[data-tab="game"]').click(); // its part of the page may be closed
  field.closest("details").open = true;
  field.focus();
}

addEventListener("htmx:sendError", (event) => {
  const { path, parameters } = event.detail.requestConfig;
  const query = path.split("?")[1];
  const field = byId("line");
  if (parameters.line) {
    keepTurn(path.replace(/play\/$/, ""), parameters.line, parameters.version);
  } else if (field && query?.includes("at=")) {
    goOnTyping(field, query);
  }
});

addEventListener("htmx:afterSettle", settle);

function markConnection() {
  document.documentElement.toggleAttribute("data-offline", !navigator.onLine);
}

addEventListener("offline", markConnection);
addEventListener("online", markConnection);
markConnection();

// A copy gives way to the board itself, once the site answers: not every network leads there.
addEventListener("online", async () => {
  if (byId("memory")?.hidden === false) {
    const answer = await fetch("/sw.js", { method: "HEAD", cache: "no-store" }).catch(() => null);
    if (answer?.ok) {
      location.reload();
    }
  }
});

navigator.serviceWorker?.register("/sw.js");

// Another player's boards are not shown to this one. Without HTTPS there are no caches at all.
if (localStorage.player !== player) {
  await self.caches?.delete("boards");
}
localStorage.player = player;
settle();
