// Boards and turns are kept for this player.
const byId = (id) => document.getElementById(id);
const { player } = document.body.dataset;
const mine = `turn ${player} `;
const show = () => byId("offers").replaceChildren(...Object.keys(localStorage).map(offer));

function offer(name) {
  const board = name.slice(mine.length);
  if (!name.startsWith(mine) || (board !== location.pathname && !byId("games"))) return "";
  const { game, line, version } = JSON.parse(localStorage[name]);
  const card = byId("kept").content.cloneNode(true);
  const [said, link, forget] = card.querySelectorAll("strong, a, button");
  said.textContent = `${game}: ${line.replace(/.*@/, "")}`;
  link.href = `${board}?${new URLSearchParams({ line, version })}`;
  link.hidden = location.search.includes("line=");
  forget.onclick = () => show(localStorage.removeItem(name));
  return card;
}

async function settle() {
  if (byId("played")) localStorage.removeItem(mine + location.pathname);
  byId("played")?.removeAttribute("id");
  show();
  navigator.setAppBadge?.(byId("icon").dataset.waiting);
  if (localStorage.player !== player || !byId("memory")?.hidden || location.search) return;
  const pages = await caches.open("pages");
  await pages.put(location.pathname, new Response(document.documentElement.outerHTML));
  for (const old of (await pages.keys()).slice(0, -20)) pages.delete(old);
}

addEventListener("htmx:sendError", ({ detail: { requestConfig: { path, parameters: { line, version } } } }) => {
  const [board, asked] = path.split(/play.$|[?]/);
  const typed = byId("line");
  if (line) {
    const game = document.querySelector("h1").innerText;
    localStorage[mine + board] = JSON.stringify({ game, line, version });
    setTimeout(() => (byId("trouble").hidden = true)); // last
    show();
  } else if (typed && asked?.includes("at=")) {
    typed.value = asked.replace("&r=", " r").replace(/&?\w+=|none/g, " ").trim();
    typed.closest("details").open = true;
    typed.focus();
  }
});
addEventListener("htmx:afterSettle", settle);
addEventListener("online", () => byId("memory")?.hidden === false && location.reload());
navigator.serviceWorker?.register("/sw.js");
if (localStorage.player !== player) await self.caches?.delete("pages");
localStorage.player = player;
settle();
