/** An hour of talk, as a service of somebody else recognises it. */
import { interview } from "./transcript-text";

export interface Said {
  start: number;
  end: number;
  text: string;
  speaker: string;
  words: { word: string; start: number; end: number; probability: number }[];
}

/** Where it ends, at most. */
const SECONDS = 3590;
/** Letters and spaces that people say in a second, between pauses. */
const PACE = 18.5;

/** What is said once only. */
export const ONCE = {
  text: "А потім прийшов блакитний пароплав, і всі вийшли на берег.",
  phrase: "блакитний пароплав",
  after: 27 * 60,
};

/** Numbers from 0 to 1, the same in every run. */
function dice(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * An interview again and again. Words take as long as their letters do, unevenly by a quarter; people pause after commas,
 * sentences, and before they answer.
 */
export function hourOfTalk(): Said[] {
  const lines = interview().map(({ text, speaker }) => ({ text, speaker: speaker ?? "" }));
  const roll = dice();
  const talk: Said[] = [];
  let time = 0.6;
  let wasOnce = false;
  for (let at = 0; ; at += 1) {
    const line = lines[at % lines.length];
    if (!line) return talk;
    const once: boolean = !wasOnce && time > ONCE.after;
    wasOnce ||= once;
    const text = once ? ONCE.text : line.text;
    if (talk.at(-1)?.speaker !== line.speaker) time += 0.3 + 0.5 * roll();
    const words = text.split(" ").map((word) => {
      const start = time;
      const end = start + ((word.length + 1) / PACE) * (0.75 + 0.5 * roll());
      time = end + (/[,;:]$/.test(word) ? 0.1 + 0.2 * roll() : /[.?!]$/.test(word) ? 0.3 + 0.6 * roll() : 0.02);
      return { word, start: rounded(start), end: rounded(end), probability: 0.93 };
    });
    const [start, end] = [words[0]?.start ?? time, words.at(-1)?.end ?? time];
    if (end > SECONDS) return talk;
    talk.push({ start, end, text, speaker: line.speaker, words });
  }
}

const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000;
