// The part of the service worker (templates/worker.js) that shows notifications. Its constants come from there.
const { home, icon, pushKey, switchOn } = notifications;

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
async function forgetSubscriber() {
  const subscription = await registration.pushManager?.getSubscription();
  await subscription?.unsubscribe();
  for (const notice of await registration.getNotifications()) {
    notice.close();
  }
  await navigator.clearAppBadge?.();
}

addEventListener("push", (event) => event.waitUntil(showNotice(event.data.json())));
addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAnew()));
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data));
});
