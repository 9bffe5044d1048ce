/** Internal state of the current recording: its sound, its bytes, its lock. */
import { type Capture, CaptureError } from "./capture";
import { EMPTY, type RecordingParts, type RecordingPhase, type RecordingState, type RecordingStore } from "./recording-state";
import { createTake, type Take } from "./take";
import type { KeptRecording } from "./voice-shelf";

/** The end is announced ten minutes before, in seconds. */
const ENDING_SECONDS = 600;

export type Hand = ReturnType<typeof createHand>;

export function createHand(
  parts: RecordingParts,
  { setState: set, getState: get }: Pick<RecordingStore, "setState" | "getState">,
) {
  let capture: Capture | null = null;
  /** Whether sound is recorded; otherwise it is dropped. */
  let hearing = false;
  /** Settles after the last block of the previous sound; null then. */
  let hushing: Promise<void> | null = null;

  const hand = {
    /** The account id; empty when signed out. */
    owner: "",
    take: null as Take | null,
    release: null as (() => void) | null,
    /** Incremented for each new recording: events of an earlier one are ignored. */
    turn: 0,

    show() {
      const { take } = hand;
      if (!take) {
        return;
      }
      const left = Math.floor(take.secondsLeft());
      const next = {
        seconds: Math.floor(take.seconds()),
        bytes: take.bytes(),
        acked: take.acked(),
        secondsLeft: left <= ENDING_SECONDS ? Math.max(0, left) : null,
      };
      const before = get();
      // Blocks arrive twenty times per second, the page changes once.
      if (next.seconds !== before.seconds || next.acked !== before.acked || before.phase !== "recording") {
        set(next);
      }
    },

    hold(recording: KeptRecording, known: Parameters<typeof createTake>[2], state: Partial<RecordingState>) {
      const mine = hand.turn;
      const heard = (act: () => void) => {
        if (mine === hand.turn) {
          act();
        }
      };
      hand.take = createTake(parts, recording, known, {
        onChange: () => heard(hand.show),
        onWaiting: (waiting) => heard(() => set({ waiting })),
        onFailed: (error) => heard(() => set({ problem: { kind: "server", error }, waiting: null })),
        onNotKept: () => heard(() => set({ unkept: true })),
      });
      const offers = get().offers?.filter(({ id }) => id !== recording.id) ?? null;
      set({ ...EMPTY, ...state, id: recording.id, filename: recording.filename, offers });
      hand.show();
    },

    /**
     * Opens the chosen sound, unless it is open; false if that failed or was superseded. `before`: the phase to return
     * to.
     */
    async listen(before: RecordingPhase): Promise<boolean> {
      const mine = hand.turn;
      if (capture) {
        capture.mute(false);
        set({ problem: null });
        return true;
      }
      set({ phase: "asking", problem: null });
      if (hushing) {
        // The previous sound must end first. That takes at most half a second, so the click is still recent enough for
        // permissions.
        await hushing;
        if (mine !== hand.turn) {
          return false;
        }
      }
      const { source, deviceId } = get();
      try {
        const opened = await parts.startCapture({
          source,
          deviceId,
          onSound: (pcm, peak) => {
            if (mine === hand.turn) {
              hear(pcm, peak);
            }
          },
          onTrouble: (trouble) => {
            if (mine === hand.turn) {
              void hand.rest(get().phase === "recording" ? "paused" : get().phase, { problem: { kind: "capture", trouble } });
            }
          },
        });
        if (mine !== hand.turn) {
          await opened.stop();
          return false;
        }
        capture = opened;
        return true;
      } catch (error) {
        if (mine === hand.turn) {
          const trouble = error instanceof CaptureError ? error.trouble : "failed";
          set({ phase: before, problem: { kind: "capture", trouble } });
        }
        return false;
      }
    },

    /** Sound is recorded from here on; if it has already been interrupted, that is reported. */
    run() {
      hand.take?.open();
      hearing = capture !== null;
      set(hearing ? { phase: "recording" } : { phase: "paused", problem: { kind: "capture", trouble: "lost" } });
      hand.show();
    },

    /** Releases the microphone; resolves after its last block. */
    async hush() {
      const running = capture;
      capture = null;
      hushing =
        running?.stop().then(() => {
          hushing = null;
          hearing = false;
          parts.onLevel(0);
        }) ?? hushing;
      await hushing;
    },

    /** Drops incoming sound; sharing continues and need not be chosen again. */
    pause() {
      hearing = false;
      capture?.mute(true);
      parts.onLevel(0);
      set({ phase: "paused" });
      hand.take?.rest();
      hand.show();
    },

    /** Stops the sound, then stores and sends what there is. */
    async rest(phase: RecordingPhase, change: Partial<RecordingState> = {}) {
      const mine = hand.turn;
      // At once, because a second click must see the new phase.
      set({ phase, ...change });
      await hand.hush();
      if (mine === hand.turn) {
        hand.take?.rest();
        hand.show();
      }
    },

    /** Updates whether sound can still be added, after its length may have been declared. */
    async noteOpen() {
      const mine = hand.turn;
      const extendable = await hand.take?.extendable();
      if (mine === hand.turn) {
        set({ open: get().open && extendable === true });
      }
    },

    /** Ends the current recording. */
    letGo() {
      hand.turn += 1;
      hand.take = null;
      hand.release?.();
      hand.release = null;
    },
  };

  const hear = (pcm: Uint8Array<ArrayBuffer>, peak: number) => {
    if (!hand.take || !hearing) {
      return;
    }
    parts.onLevel(peak);
    const room = hand.take.add(pcm);
    hand.show();
    if (!room && get().phase === "recording") {
      void hand.rest("recorded", { open: false });
    }
  };

  return hand;
}
