import type { SpeechModels } from "./schema";

/** A server whose model serves Ukrainian poorly; a larger one would serve it better. */
export const POOR_MODELS: SpeechModels = {
  full: {
    id: "base-q8_0",
    figures_of: "base-q8_0",
    english_only: false,
    translates: true,
    translates_badly: ["uk"],
    word_errors: [{ language: "uk", percent: 45, source: "measured" }],
  },
  lite: {
    id: "tiny.en-q8_0",
    figures_of: "tiny.en",
    english_only: true,
    translates: false,
    translates_badly: [],
    word_errors: [],
  },
  larger: [
    {
      id: "large-v3-q5_0",
      figures_of: "large-v3",
      english_only: false,
      translates: true,
      translates_badly: [],
      word_errors: [{ language: "uk", percent: 6.4, source: "published" }],
    },
  ],
};
