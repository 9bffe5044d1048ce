/** Texts for the workspace: an interview, and texts of any length made of real sentences. */
import { readFileSync } from "node:fs";
import type { EditedSegment, Job, Speaker } from "../src/api/schema.d.ts";
import { JOBS, settings } from "./mock-api";

/** A conversation of three speakers; `~` marks an uncertain word. */
const INTERVIEW: readonly [speaker: number, text: string][] = [
  [0, "Добрий день. Сьогодні у нас у гостях директорка Харківського літературного музею Тетяна ~Пилипчук."],
  [0, "Пані Тетяно, з чого починається музей, коли навколо війна?"],
  [1, "Добрий день. Він починається з людей, які щоранку приходять і перевіряють, чи цілі вікна."],
  [1, "У нас п’ять працівниць, і кожна має свій ключ."],
  [1, "Ми вивезли рукописи ще в березні, але сам дім лишився, і він мусить жити."],
  [0, "Що саме ви вивезли першим?"],
  [1, "Першими поїхали листи Майка ~Йогансена та альбоми ~Слобожанщини."],
  [1, "Потім афіші, потім бібліотека, усього сорок два ящики."],
  [2, "Дозволю собі додати: ящики ми збивали самі, з дощок від старої сцени."],
  [2, "Вийшло міцніше, ніж куповані, і запах сосни стояв у всьому вагоні."],
  [0, "Це був окремий вагон?"],
  [2, "Ні, звичайний поштовий, нам дали місце між посилками та ~генератором."],
  [1, "Провідник запитав, чи там золото. Я відповіла, що дорожче."],
  [0, "А як реагували місцеві? Музей же не зачинявся."],
  [1, "Не зачинявся жодного дня, коли можна було відчинити двері."],
  [1, "Люди приходили по книжки, по розмову, інколи просто погрітися."],
  [1, "У нас з’явився читацький клуб, який збирається в укритті що четверга."],
  [2, "Туди приходить десь тридцять осіб, найменшій відвідувачці шість років."],
  [0, "Що вони читають?"],
  [1, "Зараз Хвильового, але сперечаються більше про Семенка."],
  [1, "Хтось приніс перше видання «Кобзаря» футуриста, і ми читали його вголос при ліхтариках."],
  [0, "Якби у вас був один день без тривог, що б ви зробили?"],
  [1, "Відчинила б усі вікна й винесла рояль на подвір’я."],
  [1, "І покликала б усіх, хто пише нам листи з інших міст."],
  [2, "А я полагодив би дах, доки ясно."],
  [0, "Дякую вам обом. Це була розмова про дім, який тримається на людях."],
];

export const SPEAKERS: readonly Speaker[] = [
  { id: "SPEAKER_0", name: null },
  { id: "SPEAKER_1", name: null },
  { id: "SPEAKER_2", name: null },
];

const WORD_SECONDS = 0.36;

/** The recognised interview. */
export const interview = (): EditedSegment[] => toSegments(INTERVIEW);

/** A text with this number of words, from the sentences in the file SLOVO_TEXTS (JSON lines with `transcript`). */
export function longText(words: number, seconds: number): EditedSegment[] {
  const source = process.env.SLOVO_TEXTS;
  const texts = source
    ? readFileSync(source, "utf8")
        .split("\n")
        .filter(Boolean)
        .flatMap((line) => sentences(String((JSON.parse(line) as { transcript?: string }).transcript ?? "")))
    : INTERVIEW.map(([, text]) => text.replaceAll("~", ""));
  const lines: [number, string][] = [];
  for (let count = 0, at = 0; count < words; at += 1) {
    const text = texts[at % texts.length] ?? "";
    lines.push([Math.floor(at / 4) % 3, text]);
    count += text.split(" ").length;
  }
  return toSegments(lines, seconds / words);
}

/** Splits into pieces of about a sentence; some texts have no punctuation. */
function sentences(text: string): string[] {
  const words = text.split(/\s+/).filter(Boolean);
  return Array.from({ length: Math.ceil(words.length / 14) }, (_, at) => words.slice(at * 14, at * 14 + 14).join(" "));
}

/** Creates segments with word times from speakers and texts. */
export function toSegments(lines: readonly (readonly [number, string])[], wordSeconds = WORD_SECONDS): EditedSegment[] {
  let time = 0.4;
  let before = -1;
  return lines.map(([speaker, text], at) => {
    if (wordSeconds === WORD_SECONDS) time += speaker === before ? 0.3 : 0.9;
    before = speaker;
    const words = text.split(" ").map((word, number) => {
      const start = time;
      time += wordSeconds;
      const confidence = word.startsWith("~") ? 0.31 : 0.86 + ((at * 7 + number * 3) % 13) / 100;
      return { text: word.replace("~", ""), start, end: time - wordSeconds * 0.1, confidence };
    });
    return {
      id: String(at),
      revision: 0,
      place: { base: at, part: 0 },
      start: words[0]?.start ?? time,
      end: words.at(-1)?.end ?? time,
      speaker: `SPEAKER_${speaker}`,
      text: text.replaceAll("~", ""),
      words,
    };
  });
}

/** A finished job with a text. */
export const jobOf = (segments: readonly EditedSegment[], change: Partial<Job> = {}): Job => ({
  ...(JOBS[2] as Job),
  original_filename: "Інтерв’ю з директоркою літературного музею.m4a",
  has_video: false,
  duration: (segments.at(-1)?.end ?? 0) + 1,
  language: "uk",
  settings: { ...settings, diarization: true, word_level_timestamps: true, srt: true },
  ...change,
});

/** Silence of this duration in seconds, as an 8-bit WAV file at 8 kHz. */
export function silence(seconds: number): Buffer {
  const samples = Math.ceil(seconds * 8_000);
  const wav = Buffer.alloc(44 + samples, 0x80);
  wav.write("RIFF", 0);
  wav.writeUInt32LE(36 + samples, 4);
  wav.write("WAVEfmt ", 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(8_000, 24);
  wav.writeUInt32LE(8_000, 28);
  wav.writeUInt16LE(1, 32);
  wav.writeUInt16LE(8, 34);
  wav.write("data", 36);
  wav.writeUInt32LE(samples, 40);
  return wav;
}
