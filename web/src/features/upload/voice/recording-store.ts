/**
 * The recording of this tab. idle -> asking -> recording <-> paused -> recorded -> using -> idle. `asking`: the browser
 * asks for permission. `recorded` can return to `recording`: until its length is declared, sound can be added.
 * Interrupted recordings are in `offers` and come back as `recorded`.
 */
import { createStore } from "zustand";
import { ApiError } from "@/api";
import { type CurrentRecording, createCurrentRecording } from "./current-recording";
import { findLostRecordings, findOffers, type LocalRecording, type Offer } from "./offers";
import { EMPTY, type RecordingParts, type RecordingState, type RecordingStore } from "./recording-state";
import { isTransient } from "./sender";
import { isGone } from "./voice-transfer";

type Api = Pick<RecordingStore, "setState" | "getState">;
type Actions<Name extends keyof RecordingState> = Pick<RecordingState, Name>;

export function createRecordingStore(parts: RecordingParts): RecordingStore {
  return createStore<RecordingState>()((_set, _get, api) => {
    const hand = createCurrentRecording(parts, api);
    return {
      ...EMPTY,
      source: "microphone",
      deviceId: parts.device.read(),
      offers: null,
      ...soundActions(parts, hand, api),
      ...offerActions(parts, hand, api),
      ...endActions(parts, hand, api),
    };
  });
}

/** Actions for recording. */
function soundActions(
  parts: RecordingParts,
  hand: CurrentRecording,
  { setState: set, getState: get }: Api,
): Actions<"start" | "pause" | "resume" | "stop" | "choose"> {
  return {
    start: async (owner, filename) => {
      if (get().phase !== "idle") {
        return;
      }
      hand.owner = owner;
      const mine = hand.generation;
      if (!(await hand.openCapture("idle"))) {
        return;
      }
      const id = parts.newId();
      const release = await parts.lock(lockName(id));
      if (mine !== hand.generation) {
        release?.();
        return;
      }
      hand.unlock = release;
      const recording = { id, owner, filename, startedAt: parts.now(), uploadId: null, acked: 0, declared: null };
      hand.begin(recording, { stored: 0, kept: [], sure: true }, {});
      hand.startCapturing();
    },

    pause: () => {
      if (get().phase === "recording") {
        hand.pause();
      }
    },

    resume: async () => {
      const before = get().phase;
      if ((before === "paused" || before === "recorded") && get().open && (await hand.openCapture(before))) {
        hand.startCapturing();
      }
    },

    stop: async () => {
      if (get().phase === "recording" || get().phase === "paused") {
        await hand.rest("recorded", { problem: null });
      }
    },

    choose: async (change) => {
      set(change);
      if (change.deviceId !== undefined) {
        parts.device.keep(change.deviceId);
      }
      const { phase } = get();
      if (phase === "paused") {
        await hand.stopSound();
      } else if (phase === "recording") {
        await hand.rest("paused");
        // Stopped meanwhile: it stays stopped.
        if (get().phase === "paused") {
          await get().resume();
        }
      }
    },
  };
}

/** Actions for interrupted recordings. */
function offerActions(
  parts: RecordingParts,
  hand: CurrentRecording,
  { setState: set, getState: get }: Api,
): Actions<"look" | "takeUp" | "remove" | "finishDiscards"> {
  /** Looking takes each lock for a moment, so other looks and continuing a recording wait for it. */
  let looking: Promise<unknown> = Promise.resolve();
  return {
    look: async (owner) => {
      hand.owner = owner;
      const localRecordings = looking.then(() => findLocal(parts, owner, () => get().id));
      looking = localRecordings.catch(() => {});
      const [recordings, uploads] = await Promise.all([localRecordings, parts.transfer.list().catch(() => null)]);
      if (hand.owner !== owner) {
        return;
      }
      const { id } = get();
      const hidden = new Set([...parts.discards.of(owner), hand.take?.uploadId()]);
      const others = uploads?.filter((upload) => !hidden.has(upload.id)) ?? null;
      const otherRecordings = recordings.filter((recording) => recording.id !== id);
      const offers = findOffers(otherRecordings, others);
      set({ offers });
      for (const remains of findLostRecordings(otherRecordings, offers)) {
        void parts.database.remove(remains.id).catch(() => {});
      }
      if (uploads) {
        void get().finishDiscards();
      }
    },

    takeUp: async (offer) => {
      if (get().phase !== "idle") {
        return false;
      }
      const mine = hand.generation;
      await looking;
      const release = await parts.lock(lockName(offer.id));
      if (release === null) {
        set({ problem: { kind: "other_tab" } });
        return false;
      }
      const spans = await parts.database.spans(offer.id).catch(() => []);
      const { stored, sure, gone } = await askAbout(parts, offer);
      if (mine !== hand.generation || get().phase !== "idle") {
        release();
        return false;
      }
      if (gone && spans.length === 0) {
        // Used, discarded or expired since it was offered.
        release();
        set({
          problem: { kind: "server", error: new ApiError({ status: 410, code: "upload_expired" }) },
          offers: get().offers?.filter(({ id }) => id !== offer.id) ?? null,
        });
        return false;
      }
      hand.unlock = release;
      const { id, filename, startedAt, open } = offer;
      const known = { uploadId: gone ? null : offer.uploadId, acked: stored, declared: offer.kept?.declared ?? null };
      const recording = { id, owner: hand.owner, filename, startedAt, ...known };
      hand.begin(recording, { stored, kept: spans, sure }, { phase: "recorded", open });
      hand.take?.rest();
      return true;
    },

    remove: async ({ id, uploadId }, keepalive) => {
      // In parallel, because the page may be closing.
      const localRemoval = parts.database.remove(id).catch(() => {});
      if (uploadId) {
        await removeUpload(parts, hand.owner, uploadId, keepalive);
      }
      await localRemoval;
      set({ offers: get().offers?.filter((offer) => offer.id !== id) ?? null });
    },

    finishDiscards: async () => {
      const { owner } = hand;
      const tries = parts.discards.of(owner).map((uploadId) => removeUpload(parts, owner, uploadId, false));
      await Promise.allSettled(tries);
    },
  };
}

/** Actions for finished recordings. */
function endActions(
  parts: RecordingParts,
  hand: CurrentRecording,
  { setState: set, getState: get }: Api,
): Actions<"use" | "callOff" | "retry" | "play" | "putAside" | "dismiss" | "suspend"> {
  return {
    use: async () => {
      const { take } = hand;
      if (get().phase !== "recorded" || !take) {
        return null;
      }
      const mine = hand.generation;
      const isCurrent = () => mine === hand.generation && get().phase === "using";
      set({ phase: "using", problem: null });
      // Just stopped: the last block may not have arrived yet.
      await hand.stopSound();
      if (!isCurrent()) {
        return null;
      }
      try {
        const id = await take.finish();
        if (mine !== hand.generation) {
          return null;
        }
        const used = { id, filename: take.filename, size: take.bytes(), duration: take.seconds() };
        await take.close();
        await parts.database.remove(take.id).catch(() => {});
        hand.end();
        set(EMPTY);
        return used;
      } catch (error) {
        if (isCurrent()) {
          set({ phase: "recorded", problem: { kind: "server", error }, waiting: null });
          void hand.updateOpen();
        }
        return null;
      }
    },

    callOff: () => {
      if (get().phase === "using") {
        set({ phase: "recorded" });
        hand.take?.callOff();
        void hand.updateOpen();
      }
    },

    retry: () => {
      set({ problem: null });
      hand.take?.retry();
    },

    play: async () => (await hand.take?.play()) ?? null,

    putAside: async () => {
      const { take } = hand;
      await hand.stopSound();
      await take?.close();
      const former = take && { id: take.id, uploadId: take.uploadId(), filename: take.filename };
      hand.end();
      set(EMPTY);
      return former;
    },

    dismiss: () => set({ problem: null }),

    suspend: async (leave) => {
      const { take, unlock } = hand;
      hand.owner = "";
      hand.unlock = null;
      // Does not wait for the last block in the audio thread.
      hand.end();
      set({ ...EMPTY, offers: null });
      await Promise.all([hand.stopSound(), take?.close(leave)]);
      unlock?.();
    },
  };
}

/** If the server is unreachable, the removal is remembered; refusals are thrown. */
async function removeUpload({ discards, transfer }: RecordingParts, owner: string, uploadId: string, keepalive: boolean) {
  discards.add(owner, uploadId);
  try {
    await transfer.remove(uploadId, keepalive);
  } catch (error) {
    if (isTransient(error)) {
      return;
    }
    discards.drop(owner, uploadId);
    throw error;
  }
  discards.drop(owner, uploadId);
}

/** This browser's recordings of an account, except the current one. */
async function findLocal(
  { database, lock }: RecordingParts,
  owner: string,
  inHand: () => string | null,
): Promise<LocalRecording[]> {
  const all = await database.list(owner).catch(() => []);
  return Promise.all(
    all
      .filter(({ id }) => id !== inHand())
      .map(async (recording) => {
        const free = await lock(lockName(recording.id));
        free?.();
        return { ...recording, busy: free === null, pieces: await database.spans(recording.id).catch(() => []) };
      }),
  );
}

/** The server's state of an interrupted recording; the last known one if it is unreachable. */
async function askAbout({ transfer }: RecordingParts, { uploadId, kept, bytes }: Offer) {
  if (uploadId === null) {
    return { stored: 0, sure: true, gone: true };
  }
  try {
    const { stored, length } = await transfer.look(uploadId);
    // A declared length is checked again when the recording is used.
    return { stored, sure: length === null, gone: false };
  } catch (error) {
    return isGone(error) ? { stored: 0, sure: true, gone: true } : { stored: kept?.acked ?? bytes, sure: false, gone: false };
  }
}

const lockName = (id: string) => `slovo.voice.${id}`;
