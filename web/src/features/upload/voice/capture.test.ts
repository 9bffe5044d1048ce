import { beforeEach, describe, expect, it, vi } from "vitest";
import { failureOf, offersSystemAudio, type SoundSource, startCapture } from "./capture";

type Kind = "audio" | "video";

class FakeTrack {
  onended: (() => void) | null = null;
  enabled = true;
  stopped = false;
  constructor(readonly kind: Kind) {}
  stop() {
    this.stopped = true;
  }
}

class FakeStream {
  constructor(public tracks: FakeTrack[]) {}
  getTracks = () => this.tracks;
  getAudioTracks = () => this.tracks.filter(({ kind }) => kind === "audio");
  getVideoTracks = () => this.tracks.filter(({ kind }) => kind === "video");
  removeTrack = (track: FakeTrack) => {
    this.tracks = this.tracks.filter((other) => other !== track);
  };
}

/** A fake browser with a microphone and a screen; `shared`: the tracks that the reader shares. */
function fakeBrowser({ shared = ["video", "audio"] }: { shared?: Kind[] } = {}) {
  const tracks: FakeTrack[] = [];
  const open = (...kinds: Kind[]) => {
    const created = kinds.map((kind) => new FakeTrack(kind));
    tracks.push(...created);
    return new FakeStream(created);
  };
  const devices = {
    getUserMedia: vi.fn(async (_: MediaStreamConstraints) => open("audio")),
    getDisplayMedia: vi.fn(async (_: DisplayMediaStreamOptions) => open(...shared)),
  };
  const ports: { onmessage: ((event: { data: unknown }) => void) | null }[] = [];
  const contexts: { state: string; sources: unknown[]; onstatechange: (() => void) | null }[] = [];
  vi.stubGlobal("navigator", { mediaDevices: devices });
  vi.stubGlobal(
    "AudioContext",
    class {
      state = "running";
      sources: unknown[] = [];
      onstatechange: (() => void) | null = null;
      audioWorklet = { addModule: async () => {} };
      constructor() {
        contexts.push(this);
      }
      resume = async () => {};
      close = async () => {
        this.state = "closed";
        this.onstatechange?.();
      };
      createMediaStreamSource = (stream: unknown) => {
        this.sources.push(stream);
        return { connect: () => {} };
      };
    },
  );
  vi.stubGlobal(
    "AudioWorkletNode",
    class {
      port = {
        onmessage: null as ((event: { data: unknown }) => void) | null,
        // The audio thread responds with its last samples.
        postMessage: () => {
          this.port.onmessage?.({ data: { pcm: new Uint8Array([9]), peak: 0.1 } });
          this.port.onmessage?.({ data: { flushed: true } });
        },
      };
      constructor() {
        ports.push(this.port);
      }
    },
  );
  const hear = { onSound: vi.fn(), onTrouble: vi.fn() };
  return {
    devices,
    tracks,
    contexts,
    ...hear,
    live: () => tracks.filter(({ stopped }) => !stopped).map(({ kind }) => kind),
    sound: (...bytes: number[]) => ports.at(-1)?.onmessage?.({ data: { pcm: new Uint8Array(bytes), peak: 0.5 } }),
    start: (source: SoundSource, deviceId: string | null = null) => startCapture({ source, deviceId, ...hear }),
  };
}

let browser: ReturnType<typeof fakeBrowser>;
beforeEach(() => {
  browser = fakeBrowser();
});

describe("a microphone", () => {
  it("is requested with the constraints of the rules, and only the chosen one", async () => {
    await browser.start("microphone", "m1");
    expect(browser.devices.getDisplayMedia).not.toHaveBeenCalled();
    expect(browser.devices.getUserMedia.mock.calls[0]?.[0]).toMatchObject({
      audio: { echoCancellation: true, noiseSuppression: true, sampleRate: 44_100, deviceId: { exact: "m1" } },
    });
  });

  it("falls back to the browser's default if the chosen one is missing", async () => {
    browser.devices.getUserMedia.mockRejectedValueOnce(new DOMException("", "OverconstrainedError"));
    await browser.start("microphone", "m1");
    expect(browser.devices.getUserMedia.mock.calls[1]?.[0]?.audio).not.toHaveProperty("deviceId");
  });

  it("reports when it is unplugged, and delivers the sound before that", async () => {
    const capture = await browser.start("microphone");
    browser.sound(1, 2);
    browser.tracks[0]?.onended?.();
    expect(browser.onTrouble).toHaveBeenCalledExactlyOnceWith("lost");
    await capture.stop();
    expect(browser.onSound.mock.calls.map(([pcm]) => [...pcm])).toEqual([[1, 2], [9]]);
    expect(browser.live()).toEqual([]);
  });

  it("is released silently when it is not needed any more", async () => {
    const capture = await browser.start("microphone");
    await capture.stop();
    browser.tracks[0]?.onended?.();
    expect(browser.onTrouble).not.toHaveBeenCalled();
    expect([browser.live(), browser.contexts[0]?.state]).toEqual([[], "closed"]);
  });

  it("is muted during a pause, and stays open", async () => {
    const capture = await browser.start("microphone");
    capture.mute(true);
    expect([browser.tracks[0]?.enabled, browser.live()]).toEqual([false, ["audio"]]);
    capture.mute(false);
    expect(browser.tracks[0]?.enabled).toBe(true);
  });
});

describe("the sound of a tab or of the system", () => {
  it("is captured without video and without the microphone", async () => {
    await browser.start("system");
    expect(browser.devices.getUserMedia).not.toHaveBeenCalled();
    expect(browser.devices.getDisplayMedia.mock.calls[0]?.[0]).toMatchObject({ audio: true, systemAudio: "include" });
    expect(browser.live()).toEqual(["audio"]);
    browser.sound(3);
    expect(browser.onSound).toHaveBeenCalledOnce();
  });

  it("is mixed with the microphone", async () => {
    await browser.start("both");
    expect(browser.contexts[0]?.sources).toHaveLength(2);
    expect(browser.devices.getDisplayMedia.mock.invocationCallOrder[0]).toBeLessThan(
      browser.devices.getUserMedia.mock.invocationCallOrder[0] ?? 0,
    );
  });

  it("ends when sharing ends", async () => {
    await browser.start("both");
    browser.tracks.find(({ stopped }) => !stopped)?.onended?.();
    expect(browser.onTrouble).toHaveBeenCalledExactlyOnceWith("lost");
  });

  it("fails if only video was shared", async () => {
    browser = fakeBrowser({ shared: ["video"] });
    await expect(browser.start("system")).rejects.toMatchObject({ trouble: "no_system_audio" });
    expect(browser.live()).toEqual([]);
  });

  it("fails if sharing was denied", async () => {
    browser.devices.getDisplayMedia.mockRejectedValueOnce(new DOMException("", "NotAllowedError"));
    await expect(browser.start("both")).rejects.toMatchObject({ trouble: "share_denied" });
    expect(browser.devices.getUserMedia).not.toHaveBeenCalled();
  });

  it("is released if the microphone is denied", async () => {
    browser.devices.getUserMedia.mockRejectedValueOnce(new DOMException("", "NotAllowedError"));
    await expect(browser.start("both")).rejects.toMatchObject({ trouble: "denied" });
    expect(browser.live()).toEqual([]);
  });
});

describe("errors of the browser", () => {
  it.each([
    ["NotAllowedError", "denied"],
    ["SecurityError", "denied"],
    ["NotFoundError", "no_device"],
    ["OverconstrainedError", "no_device"],
    ["NotReadableError", "busy"],
    ["TypeError", "failed"],
  ])("%s: %s", (name, trouble) => {
    expect(failureOf(new DOMException("", name))).toBe(trouble);
  });

  it("are generic for values that are not errors", () => {
    expect(failureOf("no")).toBe("failed");
  });
});

it("offers the sound of a tab only in browsers that support it", () => {
  const devices = (constraints: object, display = true) =>
    ({ getSupportedConstraints: () => constraints, ...(display && { getDisplayMedia: () => {} }) }) as unknown as MediaDevices;
  expect(offersSystemAudio(devices({ suppressLocalAudioPlayback: true }))).toBe(true);
  expect(offersSystemAudio(devices({}))).toBe(false);
  expect(offersSystemAudio(devices({ suppressLocalAudioPlayback: true }, false))).toBe(false);
  expect(offersSystemAudio(undefined)).toBe(false);
});
