// For players who asked for it: two soft notes when an open page learns that one more game waits for them.

const VOLUME = 0.12; // of 1
const NOTES = [587.33, 880]; // Hz: d″, a″
const APART = 0.16; // s between them
const LENGTH = 0.9; // s of each

let audio;

function playNote(pitch, begin) {
  const tone = new OscillatorNode(audio, { frequency: pitch });
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(0, begin);
  volume.gain.linearRampToValueAtTime(VOLUME, begin + 0.03); // without a click
  volume.gain.exponentialRampToValueAtTime(0.001, begin + LENGTH);
  tone.connect(volume).connect(audio.destination);
  tone.start(begin);
  tone.stop(begin + LENGTH);
  return tone;
}

async function ring() {
  // Browsers let no page sound before its first click or key. We don't wait for that: a sound that comes later, with the
  // click, tells of nothing. The title and the icon of the tab say the same.
  if (!audio) {
    return;
  }
  await audio.resume();
  const tones = NOTES.map((pitch, number) => playNote(pitch, audio.currentTime + number * APART));
  tones.at(-1).onended = () => audio.suspend(); // else it runs on and costs power
}

function allow() {
  if (!audio) {
    audio = new AudioContext();
    audio.suspend();
  }
}

addEventListener("click", allow);
addEventListener("keydown", allow);

// How many games wait, as the pages of this browser know, so that only the first of several pages rings.
localStorage.waiting = document.querySelector("#icon").dataset.waiting;

addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const fresh = detail.fragment.querySelector("#icon")?.dataset.waiting;
  if (fresh) {
    if (Number(fresh) > Number(localStorage.waiting)) {
      ring();
    }
    localStorage.waiting = fresh;
  }
});
