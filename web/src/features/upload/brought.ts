/** What somebody brings along who began on another page. It is read while the next page is made, and forgotten when it is there. */
import { onSessionEnd } from "@/api";
import type { Refusal } from "./tray-model";

interface Brought {
  /** What was not taken of the files that were chosen there. */
  refusals: readonly Refusal[];
  /** An address that was pasted there. */
  address: string | null;
  /** Whether one more recording is wanted, whatever is on the tray. */
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

// The next person at this browser must find nothing of this one.
onSessionEnd(forgetBrought);
