// On the pages of a game's past: plays it back along the links to the next turn.

const playButton = document.querySelector("#playing"); // htmx keeps it from turn to turn
let currentRun = 0; // when it was started, so that a step of an earlier run does nothing; 0 while nothing plays

const stepLink = (rel) => document.querySelector(`#moment a[rel=${rel}]`);

function setRun(run) {
  currentRun = run;
  if (playButton) {
    playButton.dataset.run = run;
  }
}

function start() {
  setRun(Date.now());
}

function stop() {
  setRun(0);
}

function waitForNextStep() {
  setTimeout(step, document.querySelector("#pace").value, currentRun);
}

async function step(run) {
  const url = (stepLink("next") || stepLink("first"))?.href;
  if (run !== currentRun || !run || !url) {
    return;
  }
  try {
    await htmx.ajax("GET", url, { source: "#moment" });
  } catch {
    // the link is still the same one, which stops it below
  }
  if (stepLink("next")?.href === url) {
    stop();
  } else if (run === currentRun) {
    if (document.querySelector("[data-stops]")) {
      stop();
    } else {
      waitForNextStep();
    }
  }
}

function toggle() {
  if (currentRun) {
    stop();
  } else {
    start();
    step(currentRun);
  }
}

addEventListener("click", ({ target }) => {
  if (target === playButton) {
    toggle();
  }
});

// Space plays and pauses, unless something has the focus that it would press.
addEventListener("keydown", (event) => {
  if (event.key === " " && playButton && event.target.tabIndex < 0) {
    event.preventDefault();
    toggle();
  }
});

addEventListener("htmx:afterSwap", () => {
  if (currentRun) {
    document.querySelector(".map .last, .gain")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
});

addEventListener("visibilitychange", () => {
  if (document.hidden) {
    stop();
  }
});

// Whoever looks at something else has seen enough.
addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (detail.elt.id !== "moment") {
    stop();
  }
});

const calm = matchMedia("(prefers-reduced-motion)").matches;
if (playButton && location.hash === "#play" && !calm) {
  start();
  waitForNextStep();
}
