import { beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { guardPage } from "./page-guard";
import type { RecordingPhase, RecordingState, RecordingStore } from "./recording-state";

const settle = () => new Promise((resolve) => setTimeout(resolve));

/** A fake wake lock API that counts locks; `answer` resolves a pending request. */
function setUp({ held = false } = {}) {
  const locks: { released: boolean }[] = [];
  const waiting: (() => void)[] = [];
  const wakeLock = {
    request: vi.fn(async () => {
      if (held) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      const lock = {
        released: false,
        release: async () => {
          lock.released = true;
        },
      };
      locks.push(lock);
      return lock as unknown as WakeLockSentinel;
    }),
  };
  const store = createStore<Pick<RecordingState, "phase">>()(() => ({ phase: "idle" })) as RecordingStore;
  const end = guardPage(store, window, wakeLock);
  return {
    wakeLock,
    end,
    locks,
    on: () => locks.filter(({ released }) => !released).length,
    answer: () => waiting.shift()?.(),
    enter: async (phase: RecordingPhase) => {
      store.setState({ phase });
      await settle();
    },
  };
}

let visible: DocumentVisibilityState = "visible";
const show = async (state: DocumentVisibilityState) => {
  visible = state;
  document.dispatchEvent(new Event("visibilitychange"));
  await settle();
};

const asks = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));

beforeEach(() => {
  visible = "visible";
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visible);
});

describe("the screen", () => {
  it("stays on only while recording", async () => {
    const { on, enter, end } = setUp();
    await enter("asking");
    expect(on()).toBe(0);
    await enter("recording");
    expect(on()).toBe(1);
    await enter("paused");
    expect(on()).toBe(0);
    await enter("recording");
    await enter("recorded");
    expect(on()).toBe(0);
    end();
  });

  it("is locked again only when the page is shown again", async () => {
    const { on, enter, locks, wakeLock, end } = setUp();
    await enter("recording");
    // The browser releases the lock by itself.
    Object.assign(locks[0] ?? {}, { released: true });
    await show("hidden");
    expect(on()).toBe(0);
    await show("visible");
    expect(on()).toBe(1);
    await show("visible");
    expect(wakeLock.request).toHaveBeenCalledTimes(2);
    await enter("paused");
    await show("hidden");
    await show("visible");
    expect(on()).toBe(0);
    end();
  });

  it("is released if the lock is granted after the recording has ended", async () => {
    const { on, enter, answer, locks, end } = setUp({ held: true });
    await enter("recording");
    await enter("recorded");
    answer();
    await settle();
    expect([locks.length, on()]).toEqual([1, 0]);
    end();
  });

  it("may turn off if the lock is refused; recording continues", async () => {
    const { wakeLock, enter, end } = setUp();
    wakeLock.request.mockRejectedValueOnce(new DOMException("low battery", "NotAllowedError"));
    await enter("recording");
    await show("visible");
    expect(wakeLock.request).toHaveBeenCalledTimes(2);
    end();
  });
});

it("asks before closing a page with an unfinished recording", async () => {
  const { enter, end } = setUp();
  expect(asks()).toBe(false);
  for (const phase of ["recording", "paused", "using"] as const) {
    await enter(phase);
    expect(asks(), phase).toBe(true);
  }
  await enter("recorded");
  expect(asks()).toBe(false);
  await enter("recording");
  end();
  expect(asks()).toBe(false);
});
