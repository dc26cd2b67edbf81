// The service worker: what is kept of the site on this device, what is shown without a connection, and notifications.
//
// It keeps the files of one release, under a version that is their hash: the `first` at once, the others as pages ask
// for them. In place of a page that does not come within four seconds it shows the last copy of that board, or else the
// page `away`. Whatever is neither a page nor such a file goes to the network and is kept nowhere. js/offline.js keeps
// the boards and names the files of theirs that came before this worker did; signing in or out drops the boards.
// carcassonne/pwa.py says what is in the next line. `lasting` files have a hash in their names.
const { files, first, lasting, version, away, headers, home, icon, pushKey, switchOn, signOut } = {{ kept|safe }};

const BOARDS = "pages"; // the cache that js/offline.js fills
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

// What games/notices/web_push.py sends. A browser that is sent something has to show something.
async function showNotice(message) {
  const { title, text, url, tag, lang, badge } = message;
  await registration.showNotification(title, { body: text, tag, renotify: true, lang, icon, data: url });
  await navigator.setAppBadge?.(badge);
}

// No address leads away from this site, whoever has sent it.
async function openPage(url) {
  const page = new URL(url, location);
  const wanted = page.origin === location.origin ? page : new URL(home, location);
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((one) => new URL(one.url).pathname === wanted.pathname);
  return there ? there.focus() : clients.openWindow(wanted.href);
}

// The push service has ended the subscription. The site tells the key only where notifications were on.
async function subscribeAnew() {
  const answer = await fetch(pushKey);
  if (!answer.ok || answer.redirected) {
    return;
  }
  const { key, token } = await answer.json();
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = subscription.toJSON();
  const body = new URLSearchParams({ endpoint, ...keys });
  await fetch(switchOn, { method: "POST", headers: { "x-csrftoken": token }, body, redirect: "manual" });
}

// Whoever uses this browser next gets and sees nothing of the player who signs out.
async function forgetPlayer() {
  const subscription = await registration.pushManager?.getSubscription();
  await subscription?.unsubscribe();
  for (const notice of await registration.getNotifications()) {
    notice.close();
  }
  await navigator.clearAppBadge?.();
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("message", (event) => event.waitUntil(keepFiles(event.data)));
addEventListener("activate", (event) => event.waitUntil(dropOtherReleases()));

addEventListener("push", (event) => event.waitUntil(showNotice(event.data.json())));
addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAnew()));
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data));
});

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
      event.waitUntil(forgetPlayer());
    }
  } else if (request.mode === "navigate") {
    event.respondWith(answerPage(request, path));
  }
});
