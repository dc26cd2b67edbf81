// The page of devices with notifications: what this browser can do, and switching it on and off. Nobody is asked for
// permission before they press the button.

const panel = document.getElementById("push");
const form = panel.querySelector("form");
const trouble = form.querySelector("[role=alert]");

// An iPad says that it is a Macintosh, which has no fingers.
function isAppleTouch() {
  return /iPhone|iPad/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
}

function canShowNotifications() {
  return ["PushManager", "Notification"].every((name) => name in window) && "serviceWorker" in navigator;
}

async function findSubscription() {
  const registration = await navigator.serviceWorker.getRegistration();
  return registration?.pushManager.getSubscription();
}

async function findState() {
  if (!canShowNotifications()) {
    return isAppleTouch() && !navigator.standalone ? "home" : "unsupported";
  }
  if (Notification.permission === "denied") {
    return "blocked";
  }
  return "on" in panel.dataset && (await findSubscription()) ? "on" : "off";
}

async function showState() {
  const state = await findState();
  for (const part of panel.querySelectorAll("[data-state]")) {
    part.hidden = part.dataset.state !== state;
  }
}

async function subscribe() {
  await navigator.serviceWorker.register("/sw.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  const old = await pushManager.getSubscription();
  await old?.unsubscribe(); // it may be somebody else's, or made for another key
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: panel.dataset.key });
}

async function switchOn(event) {
  if (form.elements.endpoint.value) {
    return; // it is on its way
  }
  event.preventDefault();
  trouble.hidden = true;
  try {
    const permission = await Notification.requestPermission(); // first: it may only be asked at a press
    if (permission === "granted") {
      const { endpoint, keys } = (await subscribe()).toJSON();
      form.elements.p256dh.value = keys.p256dh;
      form.elements.auth.value = keys.auth;
      form.elements.endpoint.value = endpoint;
      form.requestSubmit();
    }
  } catch (error) {
    console.warn(error);
    trouble.hidden = false;
  }
  await showState();
}

// The browser forgets it, too, before the site does.
async function switchOff(event) {
  const { target, submitter } = event;
  if (target.dataset.forgotten) {
    return;
  }
  event.preventDefault();
  target.dataset.forgotten = "yes";
  const subscription = await findSubscription().catch(() => null);
  await subscription?.unsubscribe();
  target.requestSubmit(submitter);
}

form.addEventListener("submit", switchOn);
if (canShowNotifications()) {
  document.querySelector("form[data-here]")?.addEventListener("submit", switchOff);
}
showState();
