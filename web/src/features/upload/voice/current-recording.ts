/** Internal state of the current recording: its sound, its bytes, its lock. */
import { type Capture, CaptureError } from "./capture";
import type { StoredRecording } from "./recording-database";
import { EMPTY, type RecordingParts, type RecordingPhase, type RecordingState, type RecordingStore } from "./recording-state";
import { createTake, type Take } from "./take";

/** The end is announced ten minutes before, in seconds. */
const ENDING_SECONDS = 600;

export type CurrentRecording = ReturnType<typeof createCurrentRecording>;

export function createCurrentRecording(
  parts: RecordingParts,
  { setState: set, getState: get }: Pick<RecordingStore, "setState" | "getState">,
) {
  let capture: Capture | null = null;
  /** Whether sound is recorded; otherwise it is dropped. */
  let capturing = false;
  /** Settles after the last block of the previous sound; null then. */
  let stopping: Promise<void> | null = null;

  const current = {
    /** The account id; empty when signed out. */
    owner: "",
    take: null as Take | null,
    unlock: null as (() => void) | null,
    /** Incremented for each new recording: events of an earlier one are ignored. */
    generation: 0,

    show() {
      const { take } = current;
      if (!take) {
        return;
      }
      const remaining = Math.floor(take.secondsLeft());
      const next = {
        seconds: Math.floor(take.seconds()),
        bytes: take.bytes(),
        acked: take.acked(),
        secondsLeft: remaining <= ENDING_SECONDS ? Math.max(0, remaining) : null,
      };
      const before = get();
      // Blocks arrive twenty times per second, the page changes once.
      if (next.seconds !== before.seconds || next.acked !== before.acked || before.phase !== "recording") {
        set(next);
      }
    },

    begin(recording: StoredRecording, known: Parameters<typeof createTake>[2], state: Partial<RecordingState>) {
      const mine = current.generation;
      const ifCurrent = (act: () => void) => {
        if (mine === current.generation) {
          act();
        }
      };
      current.take = createTake(parts, recording, known, {
        onChange: () => ifCurrent(current.show),
        onWaiting: (waiting) => ifCurrent(() => set({ waiting })),
        onFailed: (error) => ifCurrent(() => set({ problem: { kind: "server", error }, waiting: null })),
        onNotKept: () => ifCurrent(() => set({ unkept: true })),
      });
      const offers = get().offers?.filter(({ id }) => id !== recording.id) ?? null;
      set({ ...EMPTY, ...state, id: recording.id, filename: recording.filename, offers });
      current.show();
    },

    /**
     * Opens the chosen sound, unless it is open; false if that failed or was superseded. `before`: the phase to return
     * to.
     */
    async openCapture(before: RecordingPhase): Promise<boolean> {
      const mine = current.generation;
      if (capture) {
        capture.mute(false);
        set({ problem: null });
        return true;
      }
      set({ phase: "asking", problem: null });
      if (stopping) {
        // The previous sound must end first. That takes at most half a second, so the click is still recent enough for
        // permissions.
        await stopping;
        if (mine !== current.generation) {
          return false;
        }
      }
      const { source, deviceId } = get();
      try {
        const opened = await parts.startCapture({
          source,
          deviceId,
          onSound: (pcm, peak) => {
            if (mine === current.generation) {
              addSound(pcm, peak);
            }
          },
          onTrouble: (trouble) => {
            if (mine === current.generation) {
              void current.rest(get().phase === "recording" ? "paused" : get().phase, { problem: { kind: "capture", trouble } });
            }
          },
        });
        if (mine !== current.generation) {
          await opened.stop();
          return false;
        }
        capture = opened;
        return true;
      } catch (error) {
        if (mine === current.generation) {
          const trouble = error instanceof CaptureError ? error.trouble : "failed";
          set({ phase: before, problem: { kind: "capture", trouble } });
        }
        return false;
      }
    },

    /** Sound is recorded from here on; if it has already been interrupted, that is reported. */
    startCapturing() {
      current.take?.open();
      capturing = capture !== null;
      set(capturing ? { phase: "recording" } : { phase: "paused", problem: { kind: "capture", trouble: "lost" } });
      current.show();
    },

    /** Releases the microphone; resolves after its last block. */
    async stopSound() {
      const running = capture;
      capture = null;
      stopping =
        running?.stop().then(() => {
          stopping = null;
          capturing = false;
          parts.onLevel(0);
        }) ?? stopping;
      await stopping;
    },

    /** Drops incoming sound; sharing continues and need not be chosen again. */
    pause() {
      capturing = false;
      capture?.mute(true);
      parts.onLevel(0);
      set({ phase: "paused" });
      current.take?.rest();
      current.show();
    },

    /** Stops the sound, then stores and sends what there is. */
    async rest(phase: RecordingPhase, change: Partial<RecordingState> = {}) {
      const mine = current.generation;
      // At once, because a second click must see the new phase.
      set({ phase, ...change });
      await current.stopSound();
      if (mine === current.generation) {
        current.take?.rest();
        current.show();
      }
    },

    /** Updates whether sound can still be added, after its length may have been declared. */
    async updateOpen() {
      const mine = current.generation;
      const extendable = await current.take?.extendable();
      if (mine === current.generation) {
        set({ open: get().open && extendable === true });
      }
    },

    /** Ends the current recording. */
    end() {
      current.generation += 1;
      current.take = null;
      current.unlock?.();
      current.unlock = null;
    },
  };

  const addSound = (pcm: Uint8Array<ArrayBuffer>, peak: number) => {
    if (!current.take || !capturing) {
      return;
    }
    parts.onLevel(peak);
    const room = current.take.add(pcm);
    current.show();
    if (!room && get().phase === "recording") {
      void current.rest("recorded", { open: false });
    }
  };

  return current;
}
