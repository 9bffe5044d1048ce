import { describe, expect, it } from "vitest";
import { createPlayerStore } from "./player-store";

/** A media element as far as the store uses it; events are sent by hand. */
class FakeMedia extends EventTarget {
  currentTime = 0;
  duration = Number.NaN;
  paused = true;
  playbackRate = 1;
  play() {
    this.paused = false;
    this.dispatchEvent(new Event("play"));
    return Promise.resolve();
  }
  pause() {
    this.paused = true;
    this.dispatchEvent(new Event("pause"));
  }
  fire(name: string) {
    this.dispatchEvent(new Event(name));
  }
}

function setUp(knownDuration = 0) {
  const frames: (() => void)[] = [];
  const store = createPlayerStore(knownDuration, (callback) => {
    frames.push(callback);
    return () => {
      frames.splice(frames.indexOf(callback), 1);
    };
  });
  const media = new FakeMedia();
  const detach = store.getState().attach(media as unknown as HTMLMediaElement);
  const nextFrame = () => frames.shift()?.();
  return { store, media, frames, nextFrame, detach };
}

describe("the player", () => {
  it("reads the clock once a frame while it plays, and not after", () => {
    const { store, media, frames, nextFrame } = setUp();
    store.getState().toggle();
    expect(store.getState().playing).toBe(true);
    media.currentTime = 1.25;
    nextFrame();
    expect(store.getState().time).toBe(1.25);
    expect(frames).toHaveLength(1);
    store.getState().toggle();
    expect(store.getState().playing).toBe(false);
    expect(frames).toHaveLength(0);
  });

  it("plays from a word", () => {
    const { store, media } = setUp(60);
    store.getState().playFrom(42.5);
    expect(media.currentTime).toBe(42.5);
    expect(store.getState()).toMatchObject({ playing: true, time: 42.5 });
  });

  it("skips from where the sound really is, and never past an end", () => {
    const { store, media } = setUp(60);
    media.currentTime = 3;
    store.getState().skip(-5);
    expect(media.currentTime).toBe(0);
    media.currentTime = 58;
    store.getState().skip(10);
    expect(media.currentTime).toBe(60);
  });

  it("keeps the measured length when the file does not tell its own", () => {
    const { store, media } = setUp(73.2);
    media.duration = Number.POSITIVE_INFINITY;
    media.fire("loadedmetadata");
    expect(store.getState()).toMatchObject({ status: "ready", duration: 73.2 });
    media.duration = 74;
    media.fire("durationchange");
    expect(store.getState().duration).toBe(74);
  });

  it("gives the speed to a newly loaded file", () => {
    const { store, media } = setUp();
    store.getState().setRate(1.5);
    media.playbackRate = 1;
    media.fire("loadedmetadata");
    expect(media.playbackRate).toBe(1.5);
  });

  it("says when the browser cannot play it, and is empty without an element", () => {
    const { store, media, frames, detach } = setUp();
    store.getState().toggle();
    media.fire("error");
    expect(store.getState()).toMatchObject({ status: "failed", playing: false });
    expect(frames).toHaveLength(0);
    detach();
    expect(store.getState().status).toBe("empty");
    store.getState().toggle();
    expect(store.getState().playing).toBe(false);
  });
});
