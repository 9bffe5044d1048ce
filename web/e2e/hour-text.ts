/** A transcript of one hour, as returned by a third-party service. */
import { interview } from "./transcript-text";

export interface ServiceSegment {
  start: number;
  end: number;
  text: string;
  speaker: string;
  words: { word: string; start: number; end: number; probability: number }[];
}

/** The latest end, in seconds. */
const SECONDS = 3590;
/** Speaking rate between pauses, in characters per second. */
const PACE = 18.5;

/** A phrase that occurs only once. */
export const UNIQUE_PHRASE = {
  text: "А потім прийшов блакитний пароплав, і всі вийшли на берег.",
  phrase: "блакитний пароплав",
  after: 27 * 60,
};

/** Pseudo-random numbers from 0 to 1, equal in every run. */
function dice(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * A repeated interview. The duration of words is proportional to their length, varied by a quarter; there are pauses after
 * commas and sentences, and before answers.
 */
export function hourOfTalk(): ServiceSegment[] {
  const lines = interview().map(({ text, speaker }) => ({ text, speaker: speaker ?? "" }));
  const roll = dice();
  const talk: ServiceSegment[] = [];
  let time = 0.6;
  let wasOnce = false;
  for (let at = 0; ; at += 1) {
    const line = lines[at % lines.length];
    if (!line) return talk;
    const once: boolean = !wasOnce && time > UNIQUE_PHRASE.after;
    wasOnce ||= once;
    const text = once ? UNIQUE_PHRASE.text : line.text;
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
