// Measures a full settings validation with the module, in comparison to copying the same object with structuredClone: the
// ratio is less dependent on the machine. Processor time is measured, to exclude other load.
import { defaultSettings, validateSettings } from "@slovo/rules";

const LIMIT_MICROSECONDS = 50;
const CALLS = 20_000;
const ROUNDS = 7;

const settings = {
  ...defaultSettings(),
  language_code: "en",
  diarization: true,
  word_level_timestamps: true,
  srt: true,
  summarize: 150,
  llm_translation: "french, german, spanish",
  srt_translation: "french",
  overall_sentiment_analysis: true,
  overall_classification: true,
  classification_labels: ["sales", "support", "complaint", "praise"],
  custom_vocabulary: "Slovo, diarization, Kyiv, WebAssembly, tus, NocoDB",
  custom_prompt: "List the decisions with their owners and dates. ".repeat(10),
};

function median(call) {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const started = process.cpuUsage();
    for (let done = 0; done < CALLS; done += 1) call();
    return process.cpuUsage(started).user / CALLS;
  });
  return rounds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
}

if (validateSettings(settings, "file").length > 0) throw new Error("the settings of the benchmark are not valid");
const validation = median(() => validateSettings(settings, "file"));
const copy = median(() => structuredClone(settings));
console.log(`full settings validation: ${validation.toFixed(1)} µs (limit ${LIMIT_MICROSECONDS} µs)`);
console.log(`structuredClone of the same object: ${copy.toFixed(1)} µs; ratio ${(validation / copy).toFixed(2)}`);
