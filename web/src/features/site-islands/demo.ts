/**
 * The demonstration: while the recording plays, the current word is highlighted and the waveform fills; a click on
 * either plays from there. Words are plain text without tab stops: keyboard users seek with the slider. While it plays,
 * the figure has `data-playing`.
 */
import type { Mount } from "./contract";

interface TimedWord {
  element: HTMLElement;
  /** In seconds. */
  start: number;
  end: number;
}

export const mount: Mount = (figure) => {
  const audio = figure.querySelector("audio");
  if (!audio) return;
  const words = timedWords(figure);
  let spoken: HTMLElement | null = null;

  function mark(next: HTMLElement | null) {
    if (next === spoken) return;
    spoken?.removeAttribute("data-spoken");
    next?.setAttribute("data-spoken", "");
    spoken = next;
  }

  const place = figure.querySelector<HTMLInputElement>(".demo-place");
  const duration = Number(figure.dataset.duration) || 0;
  /** Updates the slider and the waveform. */
  const show = () => {
    if (place) place.valueAsNumber = audio.currentTime;
    if (duration > 0) figure.style.setProperty("--played", `${Math.min(100, (audio.currentTime / duration) * 100)}%`);
  };
  /** Rejected only if the recording cannot be played. */
  const play = () => void audio.play().catch(console.warn);

  let frame = 0;
  function follow() {
    cancelAnimationFrame(frame);
    if (audio?.paused !== false || audio.ended) return;
    mark(wordAt(words, audio.currentTime));
    show();
    frame = requestAnimationFrame(follow);
  }

  audio.addEventListener("playing", follow);
  audio.addEventListener("seeked", () => {
    mark(wordAt(words, audio.currentTime));
    show();
  });
  audio.addEventListener("ended", () => {
    mark(null);
    show();
  });
  audio.addEventListener("play", () => figure.setAttribute("data-playing", ""));
  for (const stop of ["pause", "ended"]) audio.addEventListener(stop, () => figure.removeAttribute("data-playing"));
  place?.addEventListener("input", () => {
    audio.currentTime = place.valueAsNumber;
  });
  const wave = figure.querySelector(".demo-wave");
  wave?.addEventListener("click", (event) => {
    const { left, width } = wave.getBoundingClientRect();
    if (width === 0 || !(event instanceof MouseEvent)) return;
    audio.currentTime = Math.min(1, Math.max(0, (event.clientX - left) / width)) * duration;
    play();
  });
  figure.querySelector(".demo-play")?.addEventListener("click", () => (audio.paused ? play() : audio.pause()));
  figure.addEventListener("click", ({ target }) => {
    const word = words.find(({ element }) => element.contains(target as Node));
    // A user who selects a passage wants to read or copy it.
    if (!word || getSelection()?.isCollapsed === false) return;
    audio.currentTime = word.start;
    play();
  });
  follow();
};

export const timedWords = (figure: Element): TimedWord[] =>
  [...figure.querySelectorAll<HTMLElement>("[data-start]")].map((element) => ({
    element,
    start: Number(element.dataset.start),
    end: Number(element.dataset.end),
  }));

/** The word spoken at this time; null in a pause. Words are in order of time. */
export function wordAt(words: readonly TimedWord[], seconds: number): HTMLElement | null {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle]?.start ?? 0) <= seconds) low = middle + 1;
    else high = middle;
  }
  const last = words[low - 1];
  return last && seconds < last.end ? last.element : null;
}
