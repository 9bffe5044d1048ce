import type { Capabilities } from "./schema";

/** A server with all features. */
export const EVERYTHING: Capabilities = {
  features: {
    transcription: true,
    timestamps: true,
    diarization: true,
    summarization: true,
    llm_translation: true,
    srt_translation: true,
    sentiment: true,
    classification: true,
    insights: true,
  },
  vocabulary: true,
  translate: true,
  multichannel: true,
  media_pages: true,
  url_fetch: true,
  recording: true,
  sharing: true,
  assistant: true,
  max_upload_bytes: 524_288_000,
  more_types: [],
  languages: [],
  speech_models: { full: null, lite: null, larger: [] },
  plan_features: ["diarization", "translation", "realtime", "analytics", "export_formats"],
};
