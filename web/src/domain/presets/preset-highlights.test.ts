import { describe, expect, it } from "vitest";
import type { TranscriptionSettings } from "@/api";
import type { Capabilities } from "@/api/capabilities";
import { defaultSettings } from "@/rules";
import { isDistinctive, resultsOf } from "./preset-highlights";

const settings = (change: Partial<TranscriptionSettings>) => ({ ...defaultSettings(), ...change }) as TranscriptionSettings;
const able = (features: Partial<Capabilities["features"]>, change: Partial<Capabilities> = {}) =>
  ({
    features: { transcription: true, timestamps: true, diarization: true, summarization: true, sentiment: true, ...features },
    vocabulary: true,
    translate: true,
    multichannel: true,
    ...change,
  }) as Capabilities;
/** A server with its own models, and no language model. */
const PLAIN = able({ classification: true, insights: false, llm_translation: false, srt_translation: false });

describe("the results of a preset", () => {
  it("include the text, and sentence times if requested", () => {
    expect(resultsOf(settings({}), PLAIN)).toEqual({ now: ["text", "sentence_times"], later: [], missing: [] });
    expect(resultsOf(settings({ sentence_level_timestamps: false }), PLAIN).now).toEqual(["text"]);
  });

  it("are available now if the server supports them", () => {
    const meeting = settings({ diarization: true, summarize: 150 });
    expect(resultsOf(meeting, PLAIN)).toEqual({
      now: ["text", "speakers", "sentence_times", "summary"],
      later: [],
      missing: [],
    });
    const subtitles = settings({ srt: true, word_level_timestamps: true });
    expect(resultsOf(subtitles, PLAIN).now.filter(isDistinctive)).toEqual(["word_times", "subtitles"]);
  });

  it("are available later if they need a language model", () => {
    const minutes = settings({
      summarize: 150,
      custom_prompt: "Протокол",
      llm_translation: "english",
      srt_translation: "french",
    });
    const { now, later, missing } = resultsOf(minutes, PLAIN);
    expect(now).toEqual(["text", "sentence_times", "summary"]);
    expect(later).toEqual(["prompt", "translation", "subtitle_translation"]);
    expect(missing).toEqual([]);
    const bare = able({ summarization: false, insights: true, llm_translation: true, srt_translation: true });
    expect(resultsOf(minutes, bare).later).toEqual(["summary"]);
  });

  it("are missing if recognition does not support them", () => {
    const call = settings({ multichannel: true, diarization: true, custom_vocabulary: "Слово", translate: "to_eng" });
    const server = able({ diarization: false }, { multichannel: false, vocabulary: false, translate: false });
    expect(resultsOf(call, server)).toEqual({
      now: ["text", "sentence_times"],
      later: [],
      missing: ["speakers", "channels", "english", "vocabulary"],
    });
  });

  it("include everything requested while the server's features are unknown", () => {
    const { now, later, missing } = resultsOf(settings({ custom_prompt: "Протокол", multichannel: true }), undefined);
    expect(now).toEqual(["text", "channels", "sentence_times", "prompt"]);
    expect([...later, ...missing]).toEqual([]);
  });
});
