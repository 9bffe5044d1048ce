/** What somebody brings along who began on another page; each is taken once. */
import type { Refusal } from "./tray-model";

let refused: readonly Refusal[] = [];
let pasted: string | null = null;

/** What was not taken of the files that were chosen there. */
export const bringRefusals = (refusals: readonly Refusal[]): void => {
  refused = refusals;
};

export const takeBroughtRefusals = (): readonly Refusal[] => {
  const taken = refused;
  refused = [];
  return taken;
};

/** An address that was pasted there. */
export const bringAddress = (url: string): void => {
  pasted = url;
};

export const takeBroughtAddress = (): string | null => {
  const taken = pasted;
  pasted = null;
  return taken;
};
