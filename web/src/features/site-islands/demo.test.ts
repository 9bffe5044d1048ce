import { expect, it, vi } from "vitest";
import { mount, timedWords, wordAt } from "./demo";

function figure() {
  document.body.innerHTML = `<figure data-island="demo"><audio></audio><p class="demo-text">
    <span data-start="0.3" data-end="0.6">one</span> <span data-start="0.6" data-end="0.9">two</span>
    <span data-start="1.4" data-end="1.8">three</span></p></figure>`;
  const element = document.querySelector<HTMLElement>("figure") as HTMLElement;
  const audio = element.querySelector("audio") as HTMLAudioElement;
  return { element, audio, spoken: () => [...element.querySelectorAll("[data-spoken]")].map((word) => word.textContent) };
}

it.each([
  [0, undefined],
  [0.3, "one"],
  [0.59, "one"],
  [0.6, "two"],
  [1.2, undefined],
  [1.5, "three"],
  [1.8, undefined],
])("at %d s the word is %s", (seconds, word) => expect(wordAt(timedWords(figure().element), seconds)?.textContent).toBe(word));

it("marks the current word in each frame, and none at the end", () => {
  const { element, audio, spoken } = figure();
  let frame = () => {};
  vi.stubGlobal("requestAnimationFrame", (next: () => void) => {
    frame = next;
    return 1;
  });
  let [time, paused] = [0.35, false];
  vi.spyOn(audio, "currentTime", "get").mockImplementation(() => time);
  vi.spyOn(audio, "paused", "get").mockImplementation(() => paused);
  // It is already playing: the click on Play has loaded the island.
  void mount(element);
  expect(spoken()).toEqual(["one"]);
  time = 0.7;
  frame();
  expect(spoken()).toEqual(["two"]);
  paused = true;
  frame();
  expect(spoken()).toEqual(["two"]);
  time = 1.5;
  audio.dispatchEvent(new Event("seeked"));
  expect(spoken()).toEqual(["three"]);
  audio.dispatchEvent(new Event("ended"));
  expect(spoken()).toEqual([]);
});

it("plays from the clicked word, and does not turn words into buttons", () => {
  const { element, audio } = figure();
  const play = vi.spyOn(audio, "play").mockResolvedValue();
  const seek = vi.spyOn(audio, "currentTime", "set");
  void mount(element);
  element.querySelectorAll("span")[2]?.click();
  expect(seek).toHaveBeenCalledWith(1.4);
  expect(play).toHaveBeenCalledOnce();
  expect(element.querySelector("[tabindex], [role]")).toBeNull();
});

it("plays from the clicked position of the waveform, and fills it up to there", () => {
  const { element, audio } = figure();
  element.dataset.duration = "10";
  element.insertAdjacentHTML("afterbegin", `<span class="demo-wave"></span>`);
  const wave = element.querySelector(".demo-wave") as HTMLElement;
  vi.spyOn(wave, "getBoundingClientRect").mockReturnValue(new DOMRect(100, 0, 200, 56));
  const play = vi.spyOn(audio, "play").mockResolvedValue();
  let time = 0;
  vi.spyOn(audio, "currentTime", "get").mockImplementation(() => time);
  vi.spyOn(audio, "currentTime", "set").mockImplementation((seconds) => {
    time = seconds;
  });
  void mount(element);
  wave.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: 150 }));
  expect(time).toBe(2.5);
  expect(play).toHaveBeenCalledOnce();
  audio.dispatchEvent(new Event("seeked"));
  expect(element.style.getPropertyValue("--played")).toBe("25%");
});
