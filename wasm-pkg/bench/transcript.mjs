// Measures the rules for the editor and its search: new times for a segment of 200 words of which one changes, and a search
// in 10,000 texts of ten words. Processor time, as in settings.mjs.
import { findInTexts, retime } from "@slovo/rules/text";

const ROUNDS = 7;
const ALPHABET = "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя";

/** A word derived from its number. */
function word(number) {
  const length = 3 + (number % 7);
  return Array.from({ length }, (_, at) => ALPHABET[(number * 7 + at * 13 + number * at) % ALPHABET.length]).join("");
}

function median(calls, call) {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const started = process.cpuUsage();
    for (let done = 0; done < calls; done += 1) call(done);
    return process.cpuUsage(started).user / calls / 1000;
  });
  return rounds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
}

const words = Array.from({ length: 200 }, (_, at) => ({ start: at / 2, end: at / 2 + 0.4, text: word(at), confidence: 0.9 }));
const segment = {
  id: "0",
  revision: 0,
  place: { base: 0, part: 0 },
  start: 0,
  end: 100,
  speaker: null,
  text: words.map((one) => one.text).join(" "),
  words,
};
const typed = segment.text.replace(` ${word(100)} `, " слово ");
console.log(`retime, one word of 200: ${median(200, () => retime(segment, typed)).toFixed(3)} ms`);
const anew = words.map((_, at) => word(at + 1000)).join(" ");
console.log(`retime, all of 200: ${median(50, () => retime(segment, anew)).toFixed(3)} ms`);

const texts = Array.from({ length: 10_000 }, (_, at) => Array.from({ length: 10 }, (_, of) => word(at * 10 + of)).join(" "));
for (const query of [word(12_345), "а", "п’ять"]) {
  const hits = findInTexts(texts, query).length / 3;
  console.log(`find «${query}» in 10,000 texts (${hits} places): ${median(3, () => findInTexts(texts, query)).toFixed(1)} ms`);
}
