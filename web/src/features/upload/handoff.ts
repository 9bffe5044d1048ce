/** Passes files or a URL chosen on another page to the upload page. Cleared once that page has read it. */
import { onSessionEnd } from "@/api";
import type { RefusedRecording } from "./tray-model";

interface Handoff {
  /** Files chosen there that were refused. */
  refusals: readonly RefusedRecording[];
  /** A URL pasted there. */
  url: string | null;
  /** Whether to add another recording, even if there are recordings on the tray. */
  more: boolean;
}

const NOTHING: Handoff = { refusals: [], url: null, more: false };

let handoff = NOTHING;

export const handOverRefusals = (refusals: readonly RefusedRecording[]): void => {
  handoff = { ...NOTHING, refusals };
};

export const handOverUrl = (address: string): void => {
  handoff = { ...NOTHING, url: address, more: true };
};

export const handOverMore = (): void => {
  handoff = { ...NOTHING, more: true };
};

export const currentHandoff = (): Handoff => handoff;

export const clearHandoff = (): void => {
  handoff = NOTHING;
};

// The next user of this browser must not see it.
onSessionEnd(clearHandoff);
