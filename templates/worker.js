{% comment %}
The service worker: what is kept of the site on this device, and what is shown without a connection.

It keeps the files of one release, under a version that is their hash: the `first`, which the page `away` needs, at
once; the others as pages ask for them. In place of a page that does not come within four seconds it shows the last
copy of that board, or else the page `away`. Whatever is neither a page nor such a file goes to the network and is
kept nowhere. js/offline.js keeps the boards and names the files of theirs that came before this worker did; signing
in or out drops the boards. carcassonne/pwa.py says what is in the next line. `lasting` files have a hash in their
names.
{% endcomment %}
const { files, first, lasting, version, away, headers, signOut, notifications } = {{ kept|safe }};

importScripts(notifications.script); // js/notifications.js: what comes by push

const BOARDS = "boards"; // the cache that js/offline.js fills
const PATIENCE = 4000; // ms

async function install() {
  const cache = await caches.open(version);
  await cache.addAll([...first, away]);
  skipWaiting();
}

async function dropOtherReleases() {
  for (const name of await caches.keys()) {
    if (name !== version && name !== BOARDS) {
      await caches.delete(name);
    }
  }
}

// A file whose name changes with it is taken from here; of others the newest is better.
async function answerFile(event, path) {
  const kept = await caches.match(path);
  if (kept && lasting) {
    return kept;
  }
  const answer = await fetch(event.request).catch(() => kept);
  if (answer?.ok && answer !== kept) {
    const copy = answer.clone();
    event.waitUntil(caches.open(version).then((cache) => cache.put(path, copy)));
  }
  return answer;
}

async function keepFiles(paths) {
  const cache = await caches.open(version);
  for (const path of paths) {
    if (files.includes(path) && !(await cache.match(path))) {
      await cache.add(path);
    }
  }
}

// A board as it was seen last. It says so by itself: its remark is only hidden.
async function fromMemory(kept) {
  const page = await kept.text();
  return new Response(page.replace('"memory" hidden=""', '"memory"'), { headers });
}

function timeout() {
  return new Promise((_resolve, reject) => {
    setTimeout(reject, PATIENCE);
  });
}

async function answerPage(request, path) {
  const answer = fetch(request);
  try {
    return await Promise.race([answer, timeout()]);
  } catch {
    const kept = await caches.match(path);
    if (kept) {
      return fromMemory(kept);
    }
    return answer.catch(() => caches.match(away)); // late is better than never
  }
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("message", (event) => event.waitUntil(keepFiles(event.data)));
addEventListener("activate", (event) => event.waitUntil(dropOtherReleases()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (files.includes(path)) {
    event.respondWith(answerFile(event, path));
  } else if (request.method === "POST") {
    if (path.startsWith("/account/")) {
      event.waitUntil(caches.delete(BOARDS));
    }
    if (path === signOut) {
      event.waitUntil(forgetSubscriber());
    }
  } else if (request.mode === "navigate") {
    event.respondWith(answerPage(request, path));
  }
});
