// Random input for the rules: valid, nearly valid, and hostile. Equal seeds generate equal input.
import * as rules from "@slovo/rules";

/** Returns a generator of numbers in [0, 1) (mulberry32). */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const LETTERS = [..."abcXYZ019 .,-_@/:;'\"<>&%#?=+\\\n\t\u0000\u00a0\u200b\u2028\u202eїґ’ʼ́ёßẞİжЯ日本नमस्तेعربى👩‍🚀\ufeff"];
const NAMES = ["", " ", "french", "French, german", "klingon", "to_eng", "uk", "en", "auto", "SPEAKER_1", "null", "Нотатки", "a".repeat(300), "б".repeat(5001)];
const ADDRESSES = [
  "https://example.com/a.mp3", "http://youtu.be/dQw4w9WgXcQ", "https://www.youtube.com/watch?v=dQw4w9WgXcQ", "https://youtube.com/shorts/abc",
  "ftp://example.com/a", "javascript:alert(1)", "https://", "https://user:pass@host/a", "http://[::1]/a.wav", "http://127.0.0.1:80/a",
  "https://приклад.укр/а.mp3", "HTTPS://EXAMPLE.COM", " https://example.com ", "https://example.com/a b", `https://example.com/${"a".repeat(3000)}`,
];

export function pickers(random) {
  const below = (limit) => Math.floor(random() * limit);
  const pick = (values) => values[below(values.length)];
  const chance = (share) => random() < share;
  const text = (most = 24) => Array.from({ length: below(most) }, () => pick(LETTERS)).join("").toWellFormed();
  const words = () => (chance(0.5) ? pick(NAMES) : text());
  const flag = () => chance(0.5);
  const whole = () => pick([0, 1, 7, 200, 999, 1000, 1001, 4_294_967_295, below(2000)]);
  /** A value of an unexpected type. */
  const odd = () => pick([null, -1, 1.5, 1e21, 9_007_199_254_740_993, "5", true, [], {}, ["a", 5], { a: 1 }, "", words()]);
  return { below, pick, chance, text, words, flag, whole, odd };
}

/** The settings with a list of choices. */
const CHOICES = Object.keys(rules.defaultSettings())
  .map((name) => rules.settingOf(name))
  .filter((row) => row.kind === "choice");

/** A value for each field: mostly valid, sometimes invalid. */
function fieldsOf(random) {
  const { pick, chance, words, flag, whole, below, text } = pickers(random);
  const choices = Object.fromEntries(CHOICES.map((row) => [row.name, () => pick(row.choices)]));
  return {
    url: () => (chance(0.7) ? pick(ADDRESSES) : text(40)),
    language_code: () => (chance(0.8) ? pick([...rules.offeredLanguages("full"), "auto"]) : words()),
    ...choices,
    diarization: flag,
    sentence_level_timestamps: flag,
    word_level_timestamps: flag,
    sentence_diarization: flag,
    srt: flag,
    return_as_file: flag,
    overall_sentiment_analysis: flag,
    overall_classification: flag,
    multichannel: flag,
    summarize: whole,
    translate: () => pick(["", "to_eng", words()]),
    llm_translation: () => pick(["", "french", "french, german", words()]),
    srt_translation: () => pick(["", "thai", words()]),
    custom_vocabulary: () => pick(["", "Slovo", Array.from({ length: below(300) }, () => text(9)).join(","), words()]),
    custom_prompt: () => pick(["", words()]),
    classification_labels: () => Array.from({ length: pick([0, 0, 1, 3, 60]) }, words),
  };
}

/** Settings with none, some or all fields changed; hostile ones have missing or unknown fields and values of any type. */
export function settingsOf(random, hostile = true) {
  const { pick, chance, odd } = pickers(random);
  const settings = { ...rules.defaultSettings() };
  const fields = fieldsOf(random);
  const changed = pick([0, 1, 2, 3, 6, 19]);
  for (let at = 0; at < changed; at += 1) {
    const name = pick(Object.keys(fields));
    settings[name] = fields[name]();
  }
  if (hostile && chance(0.15)) {
    settings[pick(Object.keys(fields))] = odd();
  }
  if (hostile && chance(0.1)) {
    delete settings[pick(Object.keys(fields))];
  }
  if (hostile && chance(0.05)) {
    settings[pick(["sumarize", "__proto_", "url ", "constructor"])] = odd();
  }
  return settings;
}

export function signupOf(random) {
  const { pick, chance, text, words, flag } = pickers(random);
  const password = pick(["Correct-horse-9", "correct-horse-9", "Ніч яка місячна 9!", "A1!", "Aa1!".repeat(40), text(40), words()]);
  return {
    email: chance(0.4) ? `${text(12)}@${text(12)}.co` : pick(["a@b.co", "A@B.CO", "a@b", "@", "a b@c.co", "україна@пошта.укр", `${"a".repeat(250)}@b.co`, words()]),
    password,
    confirm_password: chance(0.7) ? password : text(40),
    terms: flag(),
  };
}

export function uploadOf(random) {
  const { pick, chance, text, below } = pickers(random);
  const ending = pick([".mp3", ".WAV", ".m4a", ".flac", ".ogg", ".webm", ".mp4", ".avi", ".mov", ".mkv", ".txt", ".mp3.exe", "", "."]);
  const type = pick(["audio/mpeg", "audio/wav", "video/mp4", "VIDEO/WEBM;codecs=opus", "text/html", "", "application/octet-stream", text()]);
  const size = pick([0, 1, 500 * 1024 * 1024, 500 * 1024 * 1024 + 1, 524_288_000, below(600_000_000), 2 ** 52]);
  return [(chance(0.5) ? text() : "Інтерв’ю") + ending, type, size];
}

const MAGIC = ["RIFF\0\0\0\0WAVEfmt ", "RIFF\0\0\0\0AVI LIST", "ID3\x04", "fLaC", "OggS", "\x1aE\xdf\xa3", "\0\0\0\x20ftypisom", "\0\0\0\x14ftypqt  ", "\xff\xfb\x90", "<!doctype html>", "PK\x03\x04", ""];

export function headOf(random) {
  const { pick, below, chance } = pickers(random);
  const magic = [...pick(MAGIC)].map((letter) => letter.charCodeAt(0) & 255);
  const tail = Array.from({ length: below(64) }, () => below(256));
  const bytes = [...magic, ...tail];
  if (chance(0.2) && bytes.length > 0) {
    bytes[below(bytes.length)] = below(256);
  }
  return bytes;
}

export function presetOf(random) {
  const { pick, chance, words, text, flag } = pickers(random);
  return {
    name: chance(0.6) ? "Конспект лекції" : words(),
    description: pick([null, "", words(), "д".repeat(2001), text(200)]),
    category: pick(rules.allPresetCategories()),
    is_public: flag(),
    is_default: flag(),
    settings: settingsOf(random, false),
  };
}

export function importOf(random) {
  const { pick, chance, odd, below, text } = pickers(random);
  const randomPreset = () => {
    const preset = { preset_id: pick(["a_v1", text(), ""]), transcription_type: pick(["full", "full", "lite"]), ...presetOf(random), settings: settingsOf(random) };
    if (chance(0.15)) {
      preset[pick(Object.keys(preset))] = odd();
    }
    return chance(0.05) ? odd() : preset;
  };
  const exported = JSON.stringify(chance(0.3) ? randomPreset() : Array.from({ length: below(4) }, randomPreset));
  return chance(0.1) ? exported.slice(0, below(exported.length + 1)).toWellFormed() : exported;
}
