/** The microphone and the sound of a tab or of the whole system. The only module that knows the browser's audio. */
import { recordingConstraints } from "@/rules";
import workletUrl from "./pcm-worklet.ts?worker&url";
import { SAMPLE_RATE } from "./wav";

export type SoundSource = "microphone" | "system" | "both";

/**
 * denied: not allowed. no_device: there is none, or the chosen one is gone. busy: another program has it. lost: it was
 * unplugged, or its sharing was ended. suspended: the browser holds the audio back. insecure: the page is not served over
 * https. no_system_audio: shared without its sound. failed: something else.
 */
export type CaptureTrouble =
  | "denied"
  | "no_device"
  | "busy"
  | "lost"
  | "suspended"
  | "insecure"
  | "no_system_audio"
  | "share_denied"
  | "failed";

export class CaptureError extends Error {
  readonly trouble: CaptureTrouble;

  constructor(trouble: CaptureTrouble, cause?: unknown) {
    super(trouble, { cause });
    this.trouble = trouble;
  }
}

export interface CaptureOptions {
  source: SoundSource;
  /** Null for the one that the browser takes by itself. */
  deviceId: string | null;
  /** PCM as a recording has it, and its peak, 0 to 1. */
  onSound: (pcm: Uint8Array<ArrayBuffer>, peak: number) => void;
  /** It cannot go on; what has been heard is there. */
  onTrouble: (trouble: CaptureTrouble) => void;
}

export interface Capture {
  /** While it is muted it brings silence, and the device knows that nobody listens. */
  mute: (muted: boolean) => void;
  /** Resolves when the last sound has been given. */
  stop: () => Promise<void>;
}

/** Begins to listen; throws `CaptureError`. Must be called by a click: browsers ask only then. */
export type StartCapture = (options: CaptureOptions) => Promise<Capture>;

/** An audio thread that does not answer any more. */
const FLUSH_MS = 500;
/** A context that may run does so at once. */
const START_MS = 3_000;

/** Only Chromium gives the sound of what is shared, and only it knows this constraint. */
export function offersSystemAudio(devices: MediaDevices | undefined): boolean {
  return devices?.getDisplayMedia !== undefined && "suppressLocalAudioPlayback" in devices.getSupportedConstraints();
}

export const startCapture: StartCapture = async ({ source, deviceId, onSound, onTrouble }) => {
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (!devices) {
    throw new CaptureError("insecure");
  }
  const streams: MediaStream[] = [];
  const contexts: AudioContext[] = [];
  const release = () => {
    for (const track of streams.flatMap((stream) => stream.getTracks())) {
      track.stop();
    }
    for (const context of contexts.filter(({ state }) => state !== "closed")) {
      void context.close();
    }
  };
  try {
    // First: the browser asks what to share only while the click is fresh.
    if (source !== "microphone") {
      streams.push(await shareSound(devices));
    }
    if (source !== "system") {
      streams.push(await openMicrophone(devices, deviceId));
    }
    const { context, node } = await connect(streams, contexts);
    let over = false;
    const end = (trouble: CaptureTrouble) => {
      if (!over) {
        onTrouble(trouble);
      }
    };
    node.port.onmessage = ({ data }) => {
      if (data.pcm) {
        onSound(data.pcm, data.peak);
      }
    };
    node.onprocessorerror = () => end("failed");
    context.onstatechange = () => context.state !== "running" && end("suspended");
    for (const track of streams.flatMap((stream) => stream.getTracks())) {
      // Not fired by our own stop().
      track.onended = () => end("lost");
    }
    return {
      mute: (muted) => {
        for (const track of streams.flatMap((stream) => stream.getTracks())) {
          track.enabled = !muted;
        }
      },
      stop: async () => {
        over = true;
        await flush(node.port, onSound);
        release();
      },
    };
  } catch (error) {
    release();
    throw error instanceof CaptureError ? error : new CaptureError("failed", error);
  }
};

async function openMicrophone(devices: MediaDevices, deviceId: string | null): Promise<MediaStream> {
  const audio: MediaTrackConstraints = { ...recordingConstraints(), channelCount: 1 };
  try {
    return await devices.getUserMedia({ audio: deviceId ? { ...audio, deviceId: { exact: deviceId } } : audio });
  } catch (error) {
    if (deviceId && nameOf(error) === "OverconstrainedError") {
      // The remembered one is not plugged in today.
      return openMicrophone(devices, null);
    }
    throw new CaptureError(troubleOf(error), error);
  }
}

async function shareSound(devices: MediaDevices): Promise<MediaStream> {
  let stream: MediaStream;
  try {
    // Without a picture nothing can be shared; the track ends at once.
    stream = await devices.getDisplayMedia({ video: true, audio: true, systemAudio: "include" } as DisplayMediaStreamOptions);
  } catch (error) {
    throw new CaptureError(troubleOf(error) === "denied" ? "share_denied" : troubleOf(error), error);
  }
  for (const track of stream.getVideoTracks()) {
    track.stop();
    stream.removeTrack(track);
  }
  if (stream.getAudioTracks().length === 0) {
    throw new CaptureError("no_system_audio");
  }
  return stream;
}

/** Several streams are mixed, several channels become one. */
async function connect(streams: readonly MediaStream[], contexts: AudioContext[]) {
  const attach = async (context: AudioContext) => {
    contexts.push(context);
    const sources = streams.map((stream) => context.createMediaStreamSource(stream));
    await context.audioWorklet.addModule(workletUrl);
    const node = new AudioWorkletNode(context, "pcm", {
      numberOfOutputs: 0,
      channelCount: 1,
      channelCountMode: "explicit",
      processorOptions: { sampleRate: SAMPLE_RATE },
    });
    for (const source of sources) {
      source.connect(node);
    }
    return { context, node };
  };
  const made = await attach(new AudioContext({ sampleRate: SAMPLE_RATE })).catch((error: unknown) => {
    if (nameOf(error) !== "NotSupportedError") {
      throw error;
    }
    // Firefox does not bring a microphone to another rate; the worklet does.
    return attach(new AudioContext());
  });
  await Promise.race([made.context.resume(), new Promise((resolve) => setTimeout(resolve, START_MS))]);
  if (made.context.state !== "running") {
    throw new CaptureError("suspended");
  }
  return made;
}

function flush(port: MessagePort, onSound: CaptureOptions["onSound"]): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, FLUSH_MS);
    port.onmessage = ({ data }) => {
      if (data.pcm) {
        onSound(data.pcm, data.peak);
      }
      if (data.flushed) {
        clearTimeout(timer);
        resolve();
      }
    };
    port.postMessage("flush");
  });
}

const nameOf = (error: unknown) => (error instanceof Error || error instanceof DOMException ? error.name : "");

/** What the browser's refusal means. */
export function troubleOf(error: unknown): CaptureTrouble {
  switch (nameOf(error)) {
    case "NotAllowedError":
    case "SecurityError":
      return "denied";
    case "NotFoundError":
    case "OverconstrainedError":
      return "no_device";
    case "NotReadableError":
    case "AbortError":
      return "busy";
    default:
      return "failed";
  }
}
