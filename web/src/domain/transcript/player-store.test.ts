import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPlayerPreferences } from "./player-preferences";
import { createPlayerStore } from "./player-store";
import { MemoryStorage } from "./test-storage";

/** A fake media element; tests dispatch its events. */
class FakeMedia extends EventTarget {
  currentTime = 0;
  duration = Number.NaN;
  paused = true;
  playbackRate = 1;
  error: { code: number } | null = null;
  ended = false;
  preservesPitch = false;
  #src = "";
  get src() {
    return this.#src;
  }
  /** Like a real element: a new source pauses it without an event and starts at 0. */
  set src(url: string) {
    this.#src = url;
    this.error = null;
    this.currentTime = 0;
    this.paused = true;
  }
  play() {
    this.paused = false;
    this.dispatchEvent(new Event("play"));
    return Promise.resolve();
  }
  pause() {
    this.paused = true;
    this.dispatchEvent(new Event("pause"));
  }
  breakDown(code: number) {
    this.error = { code };
    this.fire("error");
  }
  fire(name: string) {
    this.dispatchEvent(new Event(name));
  }
}

function setUp(knownDuration = 0) {
  const frames: (() => void)[] = [];
  const clock = { now: 0 };
  const preferences = createPlayerPreferences(new MemoryStorage());
  const store = createPlayerStore(knownDuration, {
    frames: (callback) => {
      frames.push(callback);
      return () => {
        frames.splice(frames.indexOf(callback), 1);
      };
    },
    now: () => clock.now,
    preferences,
  });
  const media = new FakeMedia();
  const renew = vi.fn();
  const detach = store.getState().attach(media as unknown as HTMLMediaElement, renew);
  const nextFrame = () => frames.shift()?.();
  return { store, media, frames, nextFrame, detach, renew, clock, preferences };
}

describe("the player", () => {
  it("reads the clock once per frame while it plays, and not afterwards", () => {
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

  it("skips from the actual position, and never past an end", () => {
    const { store, media } = setUp(60);
    media.currentTime = 3;
    store.getState().skip(-5);
    expect(media.currentTime).toBe(0);
    media.currentTime = 58;
    store.getState().skip(10);
    expect(media.currentTime).toBe(60);
  });

  it("keeps the known duration if the file has none", () => {
    const { store, media } = setUp(73.2);
    media.duration = Number.POSITIVE_INFINITY;
    media.fire("loadedmetadata");
    expect(store.getState()).toMatchObject({ status: "ready", duration: 73.2 });
    media.duration = 74;
    media.fire("durationchange");
    expect(store.getState().duration).toBe(74);
  });

  it("applies the speed to a newly loaded file", () => {
    const { store, media } = setUp();
    store.getState().setRate(1.5);
    media.playbackRate = 1;
    media.fire("loadedmetadata");
    expect(media.playbackRate).toBe(1.5);
  });

  it("continues at the same position with a new link after the first error", () => {
    const { store, media, renew } = setUp(60);
    store.getState().load("/old");
    store.getState().playFrom(20);
    media.breakDown(2);
    expect(renew).toHaveBeenCalledOnce();
    expect(store.getState()).toMatchObject({ status: "loading", failure: null, playing: true });
    store.getState().load("/new");
    expect(media).toMatchObject({ src: "/new", currentTime: 20, paused: false });
  });

  it("sets the position again when metadata is loaded, for browsers that reset it", () => {
    const { store, media } = setUp(60);
    store.getState().load("/old");
    store.getState().seek(20);
    media.currentTime = 0;
    media.fire("loadedmetadata");
    expect(media.currentTime).toBe(20);
  });

  it("keeps commands given while a new link is loading", () => {
    const { store, media } = setUp(60);
    store.getState().load("/old");
    media.breakDown(4);
    store.getState().toggle();
    expect(store.getState().playing).toBe(true);
    store.getState().toggle();
    expect(store.getState().playing).toBe(false);
    store.getState().toggle();
    store.getState().load("/new");
    expect(media.paused).toBe(false);
  });

  it("does not interrupt playback for a newer link, and uses it on the next start", () => {
    const { store, media, renew } = setUp(60);
    store.getState().load("/old");
    store.getState().playFrom(5);
    store.getState().load("/new");
    expect(media).toMatchObject({ src: "/old", currentTime: 5, paused: false });
    store.getState().toggle();
    store.getState().toggle();
    expect(media).toMatchObject({ src: "/new", currentTime: 5, paused: false });
    store.getState().load("/newest");
    media.breakDown(2);
    expect(media).toMatchObject({ src: "/newest", currentTime: 5, paused: false });
    expect(renew).not.toHaveBeenCalled();
  });

  it.each([
    [2, "network"],
    [3, "format"],
    [4, "format"],
  ])("reports the failure if a new link does not help either: code %i is %s", (code, failure) => {
    const { store, media, frames, renew } = setUp(60);
    store.getState().load("/old");
    store.getState().playFrom(20);
    media.breakDown(code);
    store.getState().load("/new");
    media.breakDown(code);
    expect(renew).toHaveBeenCalledOnce();
    expect(store.getState()).toMatchObject({ status: "failed", failure, playing: false, time: 20 });
    expect(frames).toHaveLength(0);
  });

  it("does not play without a link until a retry succeeds", () => {
    const { store, media, renew } = setUp(60);
    store.getState().linkFailed();
    expect(store.getState()).toMatchObject({ status: "failed", failure: "network" });
    store.getState().toggle();
    store.getState().playFrom(3);
    expect(media.paused).toBe(true);
    store.getState().retry();
    expect(renew).toHaveBeenCalledOnce();
    expect(store.getState().failure).toBeNull();
    store.getState().load("/new");
    expect(media).toMatchObject({ src: "/new", currentTime: 3 });
  });

  it("does not report a failed link while the old one works", () => {
    const { store } = setUp(60);
    store.getState().load("/old");
    store.getState().linkFailed();
    expect(store.getState().failure).toBeNull();
  });

  it("does nothing without an element", () => {
    const { store, frames, detach } = setUp();
    store.getState().toggle();
    detach();
    expect(frames).toHaveLength(0);
    expect(store.getState().status).toBe("empty");
    store.getState().toggle();
    expect(store.getState().playing).toBe(false);
  });
});

describe("a loop", () => {
  function looping() {
    const world = setUp(60);
    world.store.getState().playLoop({ from: 10, to: 12 });
    return world;
  }

  it("starts at its beginning, and again when its end is reached", () => {
    const { store, media, nextFrame } = looping();
    expect(media.currentTime).toBe(10);
    expect(media.paused).toBe(false);
    media.currentTime = 11.9;
    nextFrame();
    expect(store.getState().time).toBe(11.9);
    media.currentTime = 12.01;
    nextFrame();
    expect(media.currentTime).toBe(10);
    expect(store.getState().loop.span).toEqual({ from: 10, to: 12 });
  });

  it("continues in a hidden tab, which has no animation frames", () => {
    const { media } = looping();
    media.currentTime = 12.2;
    media.fire("timeupdate");
    expect(media.currentTime).toBe(10);
  });

  it("starts again at the end of the recording", () => {
    const { store, media } = setUp(60);
    store.getState().playLoop({ from: 50, to: 60 });
    media.currentTime = 59.98;
    media.ended = true;
    media.pause();
    media.fire("ended");
    expect(media.currentTime).toBe(50);
    expect(media.paused).toBe(false);
    expect(store.getState().playing).toBe(true);
  });

  it("is not left by skipping, but by seeking outside", () => {
    const { store, media } = looping();
    store.getState().skip(5);
    expect(media.currentTime).toBe(12);
    store.getState().skip(-5);
    expect(media.currentTime).toBe(10);
    store.getState().seek(30);
    expect(store.getState().loop.span).toBeNull();
    expect(media.currentTime).toBe(30);
  });

  it("can be marked from either end", () => {
    const { store } = setUp(60);
    store.getState().seek(20);
    store.getState().markLoop("to");
    expect(store.getState().loop).toEqual({ span: null, marked: { end: "to", at: 20 } });
    store.getState().seek(15);
    store.getState().markLoop("from");
    expect(store.getState().loop).toEqual({ span: { from: 15, to: 20 }, marked: null });
    expect(store.getState().endLoop()).toBe(true);
    expect(store.getState().endLoop()).toBe(false);
  });

  it("is created and ended with one key", () => {
    const { store } = setUp(60);
    const { cycleLoop, seek } = store.getState();
    cycleLoop(null);
    seek(3);
    cycleLoop(null);
    expect(store.getState().loop.span).toEqual({ from: 0, to: 3 });
    cycleLoop(null);
    expect(store.getState().loop).toEqual({ span: null, marked: null });
    cycleLoop({ from: 7, to: 9 });
    expect(store.getState().loop.span).toEqual({ from: 7, to: 9 });
    expect(store.getState().time).toBe(7);
  });
});

describe("after a pause", () => {
  function pausedFor(ms: number) {
    const world = setUp(60);
    world.store.getState().playFrom(30);
    world.store.getState().toggle();
    world.clock.now += ms;
    return world;
  }

  it("resumes slightly earlier if it was long", () => {
    const { store, media } = pausedFor(2_001);
    store.getState().toggle();
    expect(media.currentTime).toBe(29);
  });

  it("resumes at the same position if it was short", () => {
    const { store, media } = pausedFor(1_999);
    store.getState().toggle();
    expect(media.currentTime).toBe(30);
  });

  it("goes back by the chosen time, or not at all", () => {
    const { store, media, preferences } = pausedFor(5_000);
    preferences.getState().prefer({ stepBack: 0 });
    store.getState().toggle();
    expect(media.currentTime).toBe(30);
  });

  it("resumes at the position sought meanwhile", () => {
    const { store, media } = pausedFor(5_000);
    store.getState().seek(40);
    store.getState().toggle();
    expect(media.currentTime).toBe(40);
  });

  it("does not go back beyond the start of a loop", () => {
    const { store, media, clock } = setUp(60);
    store.getState().playLoop({ from: 10, to: 12 });
    store.getState().toggle();
    clock.now += 5_000;
    store.getState().toggle();
    expect(media.currentTime).toBe(10);
  });
});

describe("while the user types", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  function typingWorld(pauseWhileTyping = true) {
    const world = setUp(60);
    world.preferences.getState().prefer({ pauseWhileTyping });
    world.store.getState().playFrom(30);
    return world;
  }

  it("playback pauses until a second after the last key", () => {
    const { store, media } = typingWorld();
    store.getState().typing();
    expect(media.paused).toBe(true);
    vi.advanceTimersByTime(900);
    store.getState().typing();
    vi.advanceTimersByTime(900);
    expect(media.paused).toBe(true);
    vi.advanceTimersByTime(100);
    expect(media.paused).toBe(false);
  });

  it("a paused player stays paused", () => {
    const { store, media } = typingWorld();
    store.getState().toggle();
    store.getState().typing();
    vi.advanceTimersByTime(5_000);
    expect(media.paused).toBe(true);
  });

  it("a play command takes precedence", () => {
    const { store, media } = typingWorld();
    store.getState().typing();
    store.getState().toggle();
    expect(media.paused).toBe(false);
    store.getState().toggle();
    vi.advanceTimersByTime(5_000);
    expect(media.paused).toBe(true);
  });

  it("playback continues if the option is off", () => {
    const { store, media } = typingWorld(false);
    store.getState().typing();
    expect(media.paused).toBe(false);
  });
});
