/** Times in the text, `[00:12:34]`: written at the caret, and heard when one clicks them. */

/** Tells the field that has the caret to write the player's time. */
export const STAMP_EVENT = "slovo:stamp";

/** A second of the recording as the text has it. */
export function stampOf(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  const two = (figure: number) => String(figure).padStart(2, "0");
  return `[${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}]`;
}

/** The seconds of a word that is such a time; null for any other. */
export function secondsOfStamp(word: string): number | null {
  const match = /^\[(\d{2,4}):([0-5]\d):([0-5]\d)\]\p{P}?$/u.exec(word.trim());
  return match ? Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]) : null;
}

/** The text with a stamp in the place of what is selected, apart from the words around it; and where the caret is then. */
export function withStamp(text: string, from: number, to: number, seconds: number): { text: string; caret: number } {
  const [before, after] = [text.slice(0, from), text.slice(to)];
  const space = (missing: boolean) => (missing ? " " : "");
  const stamp = space(/\S$/u.test(before)) + stampOf(seconds) + space(!/^\s/u.test(after));
  // Behind the space that was there already, too.
  const caret = before.length + stamp.length + (/^\s/u.test(after) ? 1 : 0);
  return { text: before + stamp + after, caret };
}
