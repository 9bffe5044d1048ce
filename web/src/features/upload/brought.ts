/** Passes files or a URL chosen on another page to the upload page. Cleared once that page has read it. */
import { onSessionEnd } from "@/api";
import type { Refusal } from "./tray-model";

interface Brought {
  /** Files chosen there that were refused. */
  refusals: readonly Refusal[];
  /** A URL pasted there. */
  address: string | null;
  /** Whether to add another recording, even if there are recordings on the tray. */
  more: boolean;
}

const NOTHING: Brought = { refusals: [], address: null, more: false };

let brought = NOTHING;

export const bringRefusals = (refusals: readonly Refusal[]): void => {
  brought = { ...NOTHING, refusals };
};

export const bringAddress = (address: string): void => {
  brought = { ...NOTHING, address, more: true };
};

export const bringMore = (): void => {
  brought = { ...NOTHING, more: true };
};

export const whatWasBrought = (): Brought => brought;

export const forgetBrought = (): void => {
  brought = NOTHING;
};

// The next user of this browser must not see it.
onSessionEnd(forgetBrought);
