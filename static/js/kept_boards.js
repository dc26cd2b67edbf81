// On the page that stands in for others without a connection: the boards that js/offline.js has kept, the newest first.

const when = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
const section = document.querySelector("#kept-boards");
const template = section.querySelector("template");

async function readBoard(pages, request) {
  const kept = await pages.match(request);
  const said = kept.headers.get("x-board"); // boards kept by an earlier release have none
  return { path: new URL(request.url).pathname, ...(said ? JSON.parse(decodeURIComponent(said)) : {}) };
}

function showBoard({ path, name, status, seen }) {
  const row = template.content.cloneNode(true);
  const [link, turn, time] = ["a", "span", "time"].map((part) => row.querySelector(part));
  link.href = path;
  link.textContent = name || path;
  turn.textContent = status ?? "";
  if (seen) {
    time.dateTime = new Date(seen).toISOString();
    time.textContent = when.format(seen);
  } else {
    time.parentElement.remove();
  }
  return row;
}

const pages = await self.caches?.open("boards");
const requests = (await pages?.keys()) ?? [];
const boards = await Promise.all(requests.map((request) => readBoard(pages, request)));
boards.sort((one, other) => (other.seen ?? 0) - (one.seen ?? 0));
template.parentElement.append(...boards.map(showBoard));
section.hidden = !boards.length;
document.querySelector("#no-boards").hidden = boards.length > 0;
