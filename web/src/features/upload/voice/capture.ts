/**
 * Records the microphone, and the sound of a tab or of the whole system. The only module that uses the browser's audio
 * APIs.
 */
import { recordingConstraints } from "@/rules";
import workletUrl from "./pcm-worklet.ts?worker&url";
import { SAMPLE_RATE } from "./wav";

export type SoundSource = "microphone" | "system" | "both";

/**
 * denied: no permission. no_device: there is no device, or the chosen one is gone. busy: another program uses it. lost:
 * it was unplugged, or sharing has ended. suspended: the browser blocks audio. insecure: the page is not served over
 * https. no_system_audio: shared without sound. failed: any other error.
 */
export type CaptureFailure =
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
  readonly trouble: CaptureFailure;

  constructor(trouble: CaptureFailure, cause?: unknown) {
    super(trouble, { cause });
    this.trouble = trouble;
  }
}

export interface CaptureOptions {
  source: SoundSource;
  /** Null for the browser's default. */
  deviceId: string | null;
  /** A block of PCM in the recording's format, and its peak, 0 to 1. */
  onSound: (pcm: Uint8Array<ArrayBuffer>, peak: number) => void;
  /** Called when it cannot continue; sound recorded so far is kept. */
  onTrouble: (trouble: CaptureFailure) => void;
}

export interface Capture {
  /** While muted it produces silence, and the browser shows the device as muted. */
  mute: (muted: boolean) => void;
  /** Resolves after the last block. */
  stop: () => Promise<void>;
}

/**
 * Starts capturing; throws `CaptureError`. Must be called in a click handler: browsers ask for permission only then.
 */
export type StartCapture = (options: CaptureOptions) => Promise<Capture>;

/** Time limit for an audio thread that no longer responds. */
const FLUSH_MS = 500;
/** A context that is allowed to run starts within this time. */
const START_MS = 3_000;

/** Only Chromium captures the sound of shared content, and only it supports this constraint. */
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
    // First, because the browser shows its share dialog only shortly after a click.
    if (source !== "microphone") {
      streams.push(await shareSound(devices));
    }
    if (source !== "system") {
      streams.push(await openMicrophone(devices, deviceId));
    }
    const { context, node } = await connect(streams, contexts);
    let over = false;
    const end = (trouble: CaptureFailure) => {
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
      // The stored device is not connected.
      return openMicrophone(devices, null);
    }
    throw new CaptureError(failureOf(error), error);
  }
}

async function shareSound(devices: MediaDevices): Promise<MediaStream> {
  let stream: MediaStream;
  try {
    // Sharing requires video; its track is stopped at once.
    stream = await devices.getDisplayMedia({ video: true, audio: true, systemAudio: "include" } as DisplayMediaStreamOptions);
  } catch (error) {
    throw new CaptureError(failureOf(error) === "denied" ? "share_denied" : failureOf(error), error);
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

/** Mixes several streams, and several channels into one. */
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
  const attached = await attach(new AudioContext({ sampleRate: SAMPLE_RATE })).catch((error: unknown) => {
    if (nameOf(error) !== "NotSupportedError") {
      throw error;
    }
    // Firefox does not resample microphones; the worklet does.
    return attach(new AudioContext());
  });
  await Promise.race([attached.context.resume(), new Promise((resolve) => setTimeout(resolve, START_MS))]);
  if (attached.context.state !== "running") {
    throw new CaptureError("suspended");
  }
  return attached;
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

/** Classifies the browser's error. */
export function failureOf(error: unknown): CaptureFailure {
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
