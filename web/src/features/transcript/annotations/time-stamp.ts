/** Times in the text, `[00:12:34]`: inserted at the caret, and played by a click. */

/** Tells the focused field to insert the player's time. */
export const STAMP_EVENT = "slovo:stamp";

/** A second of the recording in the notation of the text. */
export function stampOf(seconds: number): string {
  const wholeSeconds = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  const two = (figure: number) => String(figure).padStart(2, "0");
  return `[${two(Math.floor(wholeSeconds / 3600))}:${two(Math.floor(wholeSeconds / 60) % 60)}:${two(wholeSeconds % 60)}]`;
}

/** The seconds of a word in this notation; null for any other word. */
export function secondsOfStamp(word: string): number | null {
  const match = /^\[(\d{2,4}):([0-5]\d):([0-5]\d)\]\p{P}?$/u.exec(word.trim());
  return match ? Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]) : null;
}

/** The text with a stamp in place of the selection, separated by spaces; and the new caret. */
export function withStamp(text: string, from: number, to: number, seconds: number): { text: string; caret: number } {
  const [before, after] = [text.slice(0, from), text.slice(to)];
  const space = (missing: boolean) => (missing ? " " : "");
  const stamp = space(/\S$/u.test(before)) + stampOf(seconds) + space(!/^\s/u.test(after));
  // Also after a space that was already there.
  const caret = before.length + stamp.length + (/^\s/u.test(after) ? 1 : 0);
  return { text: before + stamp + after, caret };
}
