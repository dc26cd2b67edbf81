{% comment %}
The service worker; carcassonne/installable.py says what is in `kept`. It keeps the files of this release, and in place
of a page that does not come within four seconds it shows the last copy of that board, or else the page `away`. Files
with a hash in their names (`lasting`) are taken from here; of others the newest is better. Whatever is neither a page
nor such a file goes to the network and is kept nowhere. js/offline.js keeps the boards; who signs in or out drops them.
{% endcomment %}const { files, lasting, version, away, headers } = {{ kept|safe }};

async function install() {
  await (await caches.open(version)).addAll([...files, away]);
  skipWaiting();
}

async function activate() {
  for (const name of await caches.keys()) if (![version, "pages"].includes(name)) await caches.delete(name);
}

async function file(request, path) {
  const kept = await caches.match(path);
  return kept && lasting ? kept : fetch(request).catch(() => kept);
}

async function page(request, path) {
  const answer = fetch(request);
  try {
    return await Promise.race([answer, new Promise((_, late) => setTimeout(late, 4000))]);
  } catch {
    const kept = await caches.match(path);
    if (!kept) return answer.catch(() => caches.match(away));
    return new Response((await kept.text()).replace('"memory" hidden=""', '"memory"'), { headers });
  }
}

oninstall = (event) => event.waitUntil(install());
onactivate = (event) => event.waitUntil(activate());
onfetch = (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (files.includes(path)) event.respondWith(file(request, path));
  else if (request.method === "POST") path.startsWith("/account/") && event.waitUntil(caches.delete("pages"));
  else if (request.mode === "navigate") event.respondWith(page(request, path));
};
