import { describe, expect, it, vi } from "vitest";
import { ApiError } from "@/api";
import { CaptureError, type CaptureOptions } from "./capture";
import { storedDiscards } from "./discards";
import { createRecordingStore } from "./recording-store";
import { AppendedElsewhereError } from "./target";
import { createTestDatabase, createTestServer } from "./test-server";
import { wavHeader } from "./wav";

const SECOND = 88_200;
const HEADER = 44;
const NAME = "Запис 2026-11-21 14-05.wav";

const offline = () => new ApiError({ status: 0, code: "network" });
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

/** A fake browser, whose state survives its pages; `open` creates a page. */
function setUp() {
  const server = createTestServer();
  const database = createTestDatabase();
  const locks = new Set<string>();
  localStorage.clear();
  const discards = storedDiscards(localStorage);
  let ids = 0;

  interface Page {
    most?: number;
    /** The audio thread delivers its last samples when `fallSilent` is called. */
    lingering?: boolean;
    onLock?: () => void;
  }
  const open = ({ most, lingering = false, onLock }: Page = {}) => {
    const captures: (CaptureOptions & { stopped: boolean; muted: boolean })[] = [];
    const pending: (() => void)[] = [];
    const mine = new Set<string>();
    let refusal: unknown = null;
    let waits = 0;
    const store = createRecordingStore({
      transfer: server.transfer,
      database,
      discards,
      wait: async () => {
        waits += 1;
        await new Promise((resolve) => setTimeout(resolve, 1));
      },
      most: () => most ?? 524_288_000,
      startCapture: async (options) => {
        if (refusal) {
          throw refusal;
        }
        const capture = { ...options, stopped: false, muted: false };
        captures.push(capture);
        return {
          mute: (muted) => {
            capture.muted = muted;
          },
          stop: async () => {
            capture.stopped = true;
            if (lingering) {
              await new Promise<void>((resolve) => pending.push(resolve));
            }
          },
        };
      },
      lock: async (name) => {
        onLock?.();
        if (locks.has(name)) {
          return null;
        }
        locks.add(name);
        mine.add(name);
        return () => {
          locks.delete(name);
          mine.delete(name);
        };
      },
      newId: () => {
        ids += 1;
        return `r${ids}`;
      },
      now: () => 1_000,
      onLevel: () => {},
      device: { read: () => null, keep: () => {} },
    });
    return {
      store,
      captures,
      state: () => store.getState(),
      /** Seconds of sound with recognisable bytes. */
      speak: async (seconds: number, byte = 7) => {
        for (let i = 0; i < seconds; i += 1) {
          captures.at(-1)?.onSound(new Uint8Array(SECOND).fill(byte), 0.5);
        }
        await settle();
      },
      refuse: (error: unknown) => {
        refusal = error;
      },
      fallSilent: async () => {
        pending.shift()?.();
        await settle();
      },
      waits: () => waits,
      /** The process ends: its locks are released, nothing else happens. */
      die: () => {
        for (const name of mine) {
          locks.delete(name);
        }
        captures.at(-1)?.onTrouble("failed");
        server.failBefore(null);
      },
    };
  };
  const stored = (id = "up1") => server.uploads.get(id)?.bytes ?? [];
  return { server, database, locks, open, stored };
}

describe("recording", () => {
  it("streams the header and the sound, and declares the length when it is used", async () => {
    const { open, server, stored } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    expect(page.state().phase).toBe("recording");
    await page.speak(3);
    expect(stored().slice(0, HEADER)).toEqual([...wavHeader()]);
    expect(stored()).toHaveLength(HEADER + 3 * SECOND);
    expect(server.uploads.get("up1")?.length).toBeNull();
    await page.state().stop();
    expect(page.captures[0]?.stopped).toBe(true);
    const used = await page.state().use();
    expect(used).toEqual({ id: "up1", filename: NAME, size: HEADER + 3 * SECOND, duration: 3 });
    expect(server.uploads.get("up1")?.length).toBe(HEADER + 3 * SECOND);
    expect(page.state()).toMatchObject({ phase: "idle", id: null });
  });

  it("leaves nothing in the browser after it was used", async () => {
    const { open, database, locks } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    await page.speak(2);
    expect(database.recordings.size).toBe(1);
    await page.state().stop();
    await page.state().use();
    expect([database.recordings.size, database.pieces.size, locks.size]).toEqual([0, 0, 0]);
  });

  it("measures time in samples, and drops sound while it is paused", async () => {
    const { open, stored } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    await page.speak(2);
    page.state().pause();
    expect([page.state().phase, page.captures[0]?.muted]).toEqual(["paused", true]);
    await page.speak(5, 9);
    expect(page.state().seconds).toBe(2);
    await page.state().resume();
    expect([page.captures.length, page.captures[0]?.muted]).toEqual([1, false]);
    await page.speak(1);
    await page.state().stop();
    await settle();
    expect(page.state().seconds).toBe(3);
    expect(stored()).toHaveLength(HEADER + 3 * SECOND);
    expect(stored()).not.toContain(9);
  });

  it("can be continued after stopping, until it is used", async () => {
    const { open, stored } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    await page.speak(2);
    await page.state().stop();
    await page.state().resume();
    await page.speak(2);
    await page.state().stop();
    await page.state().use();
    expect(stored()).toHaveLength(HEADER + 4 * SECOND);
  });

  it("announces the end and stops at it, with whole samples", async () => {
    const { open, stored } = setUp();
    const page = open({ most: HEADER + 3.5 * SECOND });
    await page.state().start("u", NAME);
    await page.speak(2);
    expect(page.state().secondsLeft).toBe(1);
    await page.speak(4);
    expect(page.state()).toMatchObject({ phase: "recorded", open: false, seconds: 3 });
    await page.state().resume();
    expect(page.state().phase).toBe("recorded");
    expect((await page.state().use())?.size).toBe(HEADER + 3.5 * SECOND);
    expect(stored()).toHaveLength(HEADER + 3.5 * SECOND);
  });

  it("creates one file for the player, with the actual sizes", async () => {
    const { open } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    await page.speak(2);
    await page.state().stop();
    const file = await page.state().play();
    expect(file?.size).toBe(HEADER + 2 * SECOND);
    const header = new Uint8Array((await file?.slice(0, HEADER).arrayBuffer()) ?? new ArrayBuffer(0));
    expect(header).toEqual(wavHeader(2 * SECOND));
  });
});

it("can be played at once, while its last sound is being stored", async () => {
  const { open } = setUp();
  const page = open();
  await page.state().start("u", NAME);
  await page.speak(2);
  page.captures[0]?.onSound(new Uint8Array(SECOND / 2), 0.1);
  const stopping = page.state().stop();
  const file = await page.state().play();
  await stopping;
  expect(file?.size).toBe(HEADER + 2.5 * SECOND);
});

describe("the microphone", () => {
  it("is denied: recording does not start", async () => {
    const { open, server, database, locks } = setUp();
    const page = open();
    page.refuse(new CaptureError("denied"));
    await page.state().start("u", NAME);
    expect(page.state()).toMatchObject({ phase: "idle", problem: { kind: "capture", trouble: "denied" } });
    expect([server.calls.length, database.recordings.size, locks.size]).toEqual([0, 0, 0]);
  });

  it("is unplugged: the sound is kept, and another one continues", async () => {
    const { open, stored } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    await page.speak(2);
    page.captures[0]?.onTrouble("lost");
    await settle();
    expect(page.state()).toMatchObject({ phase: "paused", problem: { trouble: "lost" } });
    expect(stored()).toHaveLength(HEADER + 2 * SECOND);
    await page.state().choose({ deviceId: "other" });
    await page.state().resume();
    expect(page.captures[1]?.deviceId).toBe("other");
    await page.speak(1);
    await page.state().stop();
    await settle();
    expect(stored()).toHaveLength(HEADER + 3 * SECOND);
  });

  it("is restarted at once, while the previous one is still stopping", async () => {
    const { open, stored } = setUp();
    const page = open({ lingering: true });
    await page.state().start("u", NAME);
    await page.speak(1);
    const stopping = page.state().stop();
    const resuming = page.state().resume();
    await page.fallSilent();
    await Promise.all([stopping, resuming]);
    expect(page.state().phase).toBe("recording");
    await page.speak(2);
    expect(page.state().seconds).toBe(3);
    void page.state().stop();
    await page.fallSilent();
    expect(stored()).toHaveLength(HEADER + 3 * SECOND);
  });

  it("stays stopped if it is stopped while being changed", async () => {
    const { open } = setUp();
    const page = open({ lingering: true });
    await page.state().start("u", NAME);
    await page.speak(1);
    const choosing = page.state().choose({ deviceId: "other" });
    const stopping = page.state().stop();
    await page.fallSilent();
    await Promise.all([choosing, stopping]);
    expect(page.state()).toMatchObject({ phase: "recorded", deviceId: "other" });
    expect(page.captures).toHaveLength(1);
  });

  it("is lost before the recording has started: an error is shown, and nothing is running", async () => {
    const { open } = setUp();
    const page = open({ onLock: () => page.captures[0]?.onTrouble("lost") });
    await page.state().start("u", NAME);
    expect(page.state()).toMatchObject({ phase: "paused", problem: { trouble: "lost" } });
  });

  it("is changed while recording", async () => {
    const { open } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    await page.speak(1);
    await page.state().choose({ deviceId: "other" });
    expect(page.state()).toMatchObject({ phase: "recording", deviceId: "other" });
    expect([page.captures[0]?.stopped, page.captures[1]?.stopped]).toEqual([true, false]);
  });
});

describe("without a network", () => {
  it("continues, stores the sound, and sends it later", async () => {
    const { open, server, stored, database } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    await page.speak(2);
    server.failBefore(offline);
    await page.speak(20);
    expect(page.state()).toMatchObject({ phase: "recording", seconds: 22 });
    expect(page.state().waiting).toBeInstanceOf(ApiError);
    expect((await database.spans("r1")).reduce((sum, { length }) => sum + length, 0)).toBe(HEADER + 22 * SECOND);
    expect(page.waits()).toBeGreaterThan(0);
    server.failBefore(null);
    await vi.waitFor(() => expect(stored()).toHaveLength(HEADER + 22 * SECOND));
    expect(page.state().waiting).toBeNull();
  });

  it("does not resend bytes that arrived although the response was lost", async () => {
    const { open, server, stored } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    let lost = 0;
    server.failAfter((name) => {
      if (name === "append" && lost === 0) {
        lost += 1;
        return offline();
      }
      return null;
    });
    await page.speak(4);
    await page.state().stop();
    await page.state().use();
    expect(lost).toBe(1);
    expect(stored()).toHaveLength(HEADER + 4 * SECOND);
  });

  it("can be used although the last response was lost", async () => {
    const { open, server } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    await page.speak(2);
    await page.state().stop();
    await settle();
    let lost = false;
    server.failAfter((name) => {
      const fails = name === "append" && !lost;
      lost ||= fails;
      return fails ? offline() : null;
    });
    expect(await page.state().use()).toMatchObject({ id: "up1", duration: 2 });
    expect(server.uploads.get("up1")?.length).toBe(HEADER + 2 * SECOND);
  });

  it("does not block the page", async () => {
    const { open, server } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    await page.speak(2);
    await page.state().stop();
    await settle();
    server.failBefore(offline);
    const using = page.state().use();
    await settle();
    page.state().callOff();
    expect(await using).toBeNull();
    expect(page.state()).toMatchObject({ phase: "recorded", problem: null });
    server.failBefore(null);
    expect(await page.state().use()).toMatchObject({ id: "up1" });
  });
});

describe("a recording that is used, cancelled and continued", () => {
  /** Two seconds, used while the server does not respond, and cancelled. */
  async function calledOff(which: string | null, { full = false } = {}) {
    const setup = setUp();
    setup.database.full = full;
    const page = setup.open();
    await page.state().start("u", NAME);
    await page.speak(2);
    await page.state().stop();
    await settle();
    setup.server.slow((name) => name === which);
    const using = page.state().use();
    await settle();
    page.state().callOff();
    expect(await using).toBeNull();
    await settle();
    return { ...setup, page };
  }
  const goOn = async (page: Awaited<ReturnType<typeof calledOff>>["page"]) => {
    await page.state().resume();
    await page.speak(3, 5);
    await page.state().stop();
    await settle();
  };

  it("keeps added sound although its length was declared, by creating another upload", async () => {
    const { page, server, stored, database } = await calledOff("append");
    expect(server.uploads.get("up1")?.length).toBe(HEADER + 2 * SECOND);
    expect(page.state()).toMatchObject({ phase: "recorded", open: true, problem: null });
    server.slow(null);
    await goOn(page);
    expect(page.state()).toMatchObject({ seconds: 5, problem: null });
    expect(await page.state().use()).toEqual({ id: "up2", filename: NAME, size: HEADER + 5 * SECOND, duration: 5 });
    expect(stored("up2").filter((byte) => byte === 5)).toHaveLength(3 * SECOND);
    expect([...server.uploads.keys()]).toEqual(["up2"]);
    expect(database.recordings.size).toBe(0);
  });

  it("keeps added sound if the response arrives while recording again", async () => {
    const { page, server } = await calledOff("append");
    await page.state().resume();
    await page.speak(3, 5);
    server.slow(null);
    await page.state().stop();
    expect(await page.state().use()).toMatchObject({ id: "up2", duration: 5 });
  });

  it("continues its upload if the length was not declared yet", async () => {
    const { open, server } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    await page.speak(2);
    server.slow((name) => name === "append");
    await page.speak(2);
    await page.state().stop();
    const using = page.state().use();
    await settle();
    page.state().callOff();
    server.slow(null);
    expect(await using).toBeNull();
    await settle();
    expect(server.uploads.get("up1")).toMatchObject({ length: null, bytes: { length: HEADER + 4 * SECOND } });
    await goOn(page);
    expect(await page.state().use()).toMatchObject({ id: "up1", duration: 7 });
  });

  it("is used unchanged if nothing was added", async () => {
    const { page, server } = await calledOff("append");
    server.slow(null);
    await settle();
    expect(await page.state().use()).toMatchObject({ id: "up1", duration: 2 });
  });

  it("cannot be continued if its beginning is not stored, but can be used", async () => {
    const { page, server } = await calledOff("append", { full: true });
    server.slow(null);
    await settle();
    expect(page.state()).toMatchObject({ phase: "recorded", open: false });
    await page.state().resume();
    expect(page.state().phase).toBe("recorded");
    expect(await page.state().use()).toMatchObject({ id: "up1", duration: 2 });
  });

  it("is offered with the added sound after a crash, and used", async () => {
    const { page, server, open, stored } = await calledOff("append");
    server.slow(null);
    await settle();
    server.failBefore(offline);
    await goOn(page);
    await page.state().suspend(false);
    server.failBefore(null);
    const next = open();
    await next.state().look("u");
    const [offer] = next.state().offers ?? [];
    expect(offer).toMatchObject({ id: "r1", seconds: 5, open: true });
    await next.state().takeUp(offer as never);
    const used = await next.state().use();
    expect(used).toMatchObject({ duration: 5 });
    expect(stored(used?.id)).toHaveLength(HEADER + 5 * SECOND);
    expect([...server.uploads.keys()]).toEqual([used?.id]);
  });

  it("can be used again after a refused attempt", async () => {
    const { open, server, stored } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    await page.speak(2);
    await page.state().stop();
    await settle();
    server.failAfter((name) => (name === "append" ? new ApiError({ status: 403, code: "forbidden" }) : null));
    expect(await page.state().use()).toBeNull();
    expect(page.state()).toMatchObject({ phase: "recorded", problem: { error: { code: "forbidden" } } });
    server.failAfter(null);
    await settle();
    await goOn(page);
    expect(await page.state().use()).toMatchObject({ duration: 5 });
    expect(stored([...server.uploads.keys()][0])).toHaveLength(HEADER + 5 * SECOND);
  });

  it("contains its last sound even if it is used quickly", async () => {
    const { open, stored } = setUp();
    const page = open({ lingering: true });
    await page.state().start("u", NAME);
    await page.speak(2);
    void page.state().stop();
    const using = page.state().use();
    await page.speak(1, 5);
    await page.fallSilent();
    expect(await using).toMatchObject({ duration: 3 });
    expect(stored()).toHaveLength(HEADER + 3 * SECOND);
  });
});

describe("the server", () => {
  it("loses an upload: everything is sent again", async () => {
    const { open, server, stored } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    await page.speak(3);
    server.uploads.clear();
    await page.speak(2);
    await vi.waitFor(() => expect(stored("up2").length).toBeGreaterThanOrEqual(HEADER + 4 * SECOND));
    await page.state().stop();
    expect(await page.state().use()).toMatchObject({ id: "up2", size: HEADER + 5 * SECOND });
    expect(stored("up2").slice(0, HEADER)).toEqual([...wavHeader()]);
  });

  it("loses it, and the browser has no copy: an error is shown, and recording continues", async () => {
    const { open, server, database } = setUp();
    const page = open();
    database.full = true;
    await page.state().start("u", NAME);
    await page.speak(3);
    expect(page.state().unkept).toBe(true);
    server.uploads.clear();
    await page.speak(3);
    expect(page.state()).toMatchObject({ phase: "recording", problem: { kind: "server", error: { code: "upload_expired" } } });
  });

  it("refuses it: recording continues, and sending can be retried", async () => {
    const { open, server } = setUp();
    const page = open();
    server.failBefore((name) => (name === "create" ? new ApiError({ status: 403, code: "forbidden" }) : null));
    await page.state().start("u", NAME);
    await page.speak(4);
    expect(page.state()).toMatchObject({ phase: "recording", seconds: 4, problem: { error: { code: "forbidden" } } });
    server.failBefore(null);
    page.state().retry();
    await settle();
    expect([...server.uploads.values()].map(({ bytes }) => bytes.length)).toEqual([HEADER + 4 * SECOND]);
    expect(page.state().problem).toBeNull();
  });

  it("has more than was recorded here: it is being continued elsewhere", async () => {
    const { open, server } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    await page.speak(2);
    const upload = server.uploads.get("up1");
    Object.assign(upload ?? {}, { bytes: [...(upload?.bytes ?? []), ...new Uint8Array(10 * SECOND)] });
    await page.speak(3);
    await vi.waitFor(() =>
      expect(page.state().problem).toMatchObject({ kind: "server", error: expect.any(AppendedElsewhereError) }),
    );
    expect(page.state().phase).toBe("recording");
  });
});

describe("after a crash", () => {
  it("loses at most the last second, also without a network", async () => {
    const { open, server, database } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    await page.speak(3);
    server.failBefore(offline);
    await page.speak(6);
    page.captures[0]?.onSound(new Uint8Array(SECOND - 2).fill(1), 0.1);
    await settle();
    const storedBytes = (await database.spans("r1")).reduce((sum, { length }) => sum + length, 0);
    expect(storedBytes).toBe(HEADER + 9 * SECOND);
  });

  it("is offered to its owner, continued and used", async () => {
    const { open, server, stored, locks } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    await page.speak(3);
    server.failBefore(offline);
    await page.speak(4);
    await page.state().suspend(false);
    server.failBefore(null);

    const next = open();
    await next.state().look("somebody else");
    expect(next.state().offers?.filter(({ kept }) => kept)).toEqual([]);
    await next.state().look("u");
    const [offer] = next.state().offers ?? [];
    expect(offer).toMatchObject({ id: "r1", seconds: 7, open: true, busy: false });
    if (!offer) {
      throw new Error("nothing was offered");
    }
    expect(await next.state().takeUp(offer)).toBe(true);
    expect(next.state()).toMatchObject({ phase: "recorded", seconds: 7, offers: [] });
    await next.state().resume();
    await next.speak(2, 3);
    await next.state().stop();
    expect(await next.state().use()).toMatchObject({ id: "up1", duration: 9 });
    expect(stored()).toHaveLength(HEADER + 9 * SECOND);
    expect(stored().slice(-2)).toEqual([3, 3]);
    expect(locks.size).toBe(0);
  });

  it("can be continued on another device from the server's bytes, also after half a sample", async () => {
    const { open, server, stored } = setUp();
    await server.transfer.create(NAME, new AbortController().signal);
    server.uploads.get("up1")?.bytes.push(...wavHeader(), ...new Uint8Array(SECOND).fill(5), 5);
    const page = open();
    await page.state().look("u");
    const [offer] = page.state().offers ?? [];
    expect(offer).toMatchObject({ id: "up1", kept: null, open: true });
    await page.state().takeUp(offer as never);
    await page.state().resume();
    await page.speak(1, 3);
    await page.state().stop();
    expect(await page.state().play()).toBeNull();
    await page.state().use();
    expect(stored().slice(HEADER + SECOND, HEADER + SECOND + 4)).toEqual([5, 0, 3, 3]);
    expect((stored().length - HEADER) % 2).toBe(0);
  });

  it("can only be used if its length is declared", async () => {
    const { open, server } = setUp();
    await server.transfer.create(NAME, new AbortController().signal);
    const upload = server.uploads.get("up1");
    upload?.bytes.push(...wavHeader(), ...new Uint8Array(SECOND));
    Object.assign(upload ?? {}, { length: HEADER + SECOND });
    const page = open();
    await page.state().look("u");
    await page.state().takeUp((page.state().offers ?? [])[0] as never);
    await page.state().resume();
    expect(page.state()).toMatchObject({ phase: "recorded", open: false });
    expect(await page.state().use()).toMatchObject({ id: "up1", duration: 1 });
    expect(server.calls).not.toContain("append");
  });

  it("is deleted here and on the server", async () => {
    const { open, server, database } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    await page.speak(3);
    await page.state().stop();
    await settle();
    const former = await page.state().putAside();
    expect(former).toEqual({ id: "r1", uploadId: "up1", filename: NAME });
    await page.state().look("u");
    expect(page.state().offers).toHaveLength(1);
    await page.state().remove({ id: "r1", uploadId: "up1" }, false);
    expect([page.state().offers, server.uploads.size, database.pieces.size]).toEqual([[], 0, 0]);
  });

  it("is discarded without a network: not offered again, and deleted when the server is reachable", async () => {
    const { open, server } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    await page.speak(3);
    await page.state().stop();
    await settle();
    await page.state().putAside();
    server.failBefore(offline);
    await page.state().remove({ id: "r1", uploadId: "up1" }, true);
    page.die();
    expect(server.uploads.size).toBe(1);

    const reopened = open();
    server.failBefore((name) => (name === "remove" ? offline() : null));
    await reopened.state().look("u");
    expect(reopened.state().offers).toEqual([]);
    // Another account in this browser neither sees nor deletes it.
    await open().state().look("other");
    expect(server.uploads.size).toBe(1);
    server.failBefore(null);
    await reopened.state().finishDiscards();
    expect(server.uploads.size).toBe(0);
    const removals = () => server.calls.filter((name) => name === "remove").length;
    const before = removals();
    await reopened.state().look("u");
    expect(removals()).toBe(before);
  });

  it("is offered again with the reason if the server refuses to delete it", async () => {
    const { open, server } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    await page.speak(3);
    await page.state().stop();
    await settle();
    await page.state().putAside();
    server.failBefore((name) => (name === "remove" ? new ApiError({ status: 403, code: "forbidden" }) : null));
    await expect(page.state().remove({ id: "r1", uploadId: "up1" }, false)).rejects.toBeInstanceOf(ApiError);
    await page.state().look("u");
    expect(page.state().offers).toHaveLength(1);
  });

  it("has been used elsewhere: reports that and does not offer it any more", async () => {
    const { open, server } = setUp();
    await server.transfer.create(NAME, new AbortController().signal);
    server.uploads.get("up1")?.bytes.push(...wavHeader(), ...new Uint8Array(SECOND));
    const page = open();
    await page.state().look("u");
    const [offer] = page.state().offers ?? [];
    server.uploads.clear();
    expect(await page.state().takeUp(offer as never)).toBe(false);
    expect(page.state()).toMatchObject({ phase: "idle", offers: [], problem: { error: { code: "upload_expired" } } });
  });
});

it("is not reported as in use elsewhere by two concurrent searches", async () => {
  const { open } = setUp();
  const page = open();
  await page.state().start("u", NAME);
  await page.speak(3);
  await page.state().suspend(false);
  const next = open();
  const looks = [next.state().look("u"), next.state().look("u")];
  await Promise.all(looks);
  const [offer] = next.state().offers ?? [];
  expect(offer).toMatchObject({ id: "r1", busy: false });
  const secondLook = next.state().look("u");
  expect(await next.state().takeUp(offer as never)).toBe(true);
  await secondLook;
});

describe("two tabs", () => {
  it("show each other's recording as in use", async () => {
    const { open, database } = setUp();
    const [one, other] = [open(), open()];
    await one.state().start("u", NAME);
    await one.speak(3);
    await other.state().look("u");
    const [offer] = other.state().offers ?? [];
    expect(offer).toMatchObject({ id: "r1", busy: true });
    expect(await other.state().takeUp(offer as never)).toBe(false);
    expect(other.state().problem).toEqual({ kind: "other_tab" });
    expect(database.recordings.has("r1")).toBe(true);
  });

  it("do not delete a recording that has just started", async () => {
    const { open, database } = setUp();
    const [one, other] = [open(), open()];
    await one.state().start("u", NAME);
    await settle();
    await other.state().look("u");
    await settle();
    expect(database.recordings.has("r1")).toBe(true);
  });
});

describe("the end of the session", () => {
  it("stops the recording, shows nothing, and keeps it for its owner", async () => {
    const { open, locks, database } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    await page.speak(3);
    await page.state().suspend(false);
    expect(page.captures[0]?.stopped).toBe(true);
    expect(page.state()).toMatchObject({ phase: "idle", id: null, offers: null, seconds: 0 });
    expect([locks.size, database.recordings.size]).toEqual([0, 1]);
    await page.speak(5);
    expect(page.state().seconds).toBe(0);
  });

  it("by sign-out keeps only sound that the server does not have", async () => {
    const { open, server, database } = setUp();
    const page = open();
    await page.state().start("u", NAME);
    await page.speak(3);
    server.failBefore(offline);
    await page.speak(2);
    await page.state().suspend(true);
    expect((await database.spans("r1")).map(({ offset }) => offset)).toEqual([HEADER + 3 * SECOND, HEADER + 4 * SECOND]);
  });

  it("during the permission request prevents recording", async () => {
    const { open, database, locks } = setUp();
    const page = open();
    const starting = page.state().start("u", NAME);
    await page.state().suspend(true);
    await starting;
    expect(page.captures[0]?.stopped).toBe(true);
    expect([page.state().phase, database.recordings.size, locks.size]).toEqual(["idle", 0, 0]);
  });
});
