/** Mocks capabilities, minutes and presets. */
import type { Page } from "@playwright/test";
import type { Capabilities, Minutes, Preset } from "../src/api/schema";
import { EVERYTHING } from "../src/api/test-capabilities";
import { intercept } from "./intercept";
import { settings } from "./mock-api";

const preset = (n: number, name: string, name_en: string, change: Partial<Preset>): Preset => ({
  id: `01981d3e-7c2a-7aa0-9d61-${String(n).padStart(12, "0")}`,
  preset_id: `preset_${n}_v1`,
  name,
  name_en,
  description: null,
  description_en: null,
  category: "business",
  is_public: true,
  is_default: false,
  transcription_type: "full",
  language_code: "uk",
  settings_en: null,
  quick_start: null,
  usage_count: 0,
  is_system: true,
  is_own: false,
  created_at: "2026-11-01T08:00:00Z",
  updated_at: "2026-11-01T08:00:00Z",
  ...change,
  settings: { ...settings, ...change.settings },
});

export const MINUTES_OF_MEETING = preset(1, "Протокол наради", "Meeting minutes", {
  settings: { ...settings, diarization: true, summarize: 200, custom_prompt: "Випиши рішення, відповідальних і строки." },
});

/** The built-in presets of the tiles. */
const QUICK: readonly Preset[] = [
  preset(11, "Нарада з мовцями", "Meeting with speakers", {
    preset_id: "meeting_with_speakers_v1",
    quick_start: 1,
    settings: { ...settings, diarization: true, summarize: 150 },
    settings_en: { ...settings, language_code: "en", diarization: true, summarize: 150 },
  }),
  preset(12, "Інтерв’ю", "Interview", {
    preset_id: "interview_v1",
    category: "media",
    quick_start: 2,
    settings: { ...settings, diarization: true, speakers: "2", sentence_diarization: true, word_level_timestamps: true },
  }),
  preset(13, "Субтитри", "Subtitles", {
    preset_id: "subtitles_v1",
    category: "media",
    quick_start: 3,
    settings: { ...settings, word_level_timestamps: true, srt: true },
  }),
  preset(14, "Лекція", "Lecture", {
    preset_id: "lecture_v1",
    category: "education",
    quick_start: 4,
    settings: { ...settings, summarize: 200 },
  }),
];

export const PRESETS: readonly Preset[] = [
  ...QUICK,
  preset(2, "Нотатки до випуску подкасту", "Podcast show notes", {
    category: "media",
    settings: { ...settings, summarize: 150 },
  }),
  preset(3, "Підписи для соцмереж", "Social captions", { category: "media", settings: { ...settings, srt: true } }),
  preset(4, "Конспект лекції", "Lecture notes", { category: "education", settings: { ...settings, summarize: 100 } }),
  MINUTES_OF_MEETING,
  preset(5, "Англійський дзвінок", "English call", {
    is_own: true,
    is_system: false,
    is_public: false,
    transcription_type: "lite",
    language_code: "en",
    settings: { ...settings, transcription_type: "lite", language_code: "en", word_level_timestamps: true },
  }),
];

/** A new server: only embedded recognition. */
export const RECOGNITION_ONLY: Capabilities = {
  ...EVERYTHING,
  features: {
    ...EVERYTHING.features,
    diarization: false,
    summarization: false,
    llm_translation: false,
    srt_translation: false,
    sentiment: false,
    classification: false,
    insights: false,
  },
  multichannel: false,
  media_pages: false,
};

const UNLIMITED: Minutes = {
  plan: null,
  limit: null,
  plan_limit: null,
  used: 12.5,
  reserved: 0,
  bonus: 0,
  left: null,
  max_file_duration: null,
  reset_at: "2026-12-01T00:00:00Z",
};

/** Ten minutes per month, of which `used` are used. */
export const tenMinutes = (used: number): Minutes => ({
  plan: "Starter",
  limit: 10,
  plan_limit: 10,
  used,
  reserved: 0,
  bonus: 0,
  left: 10 - used,
  max_file_duration: null,
  reset_at: "2026-12-01T00:00:00Z",
});

interface World {
  capabilities: Capabilities;
  minutes: Minutes;
  presets: readonly Preset[];
}

export async function mockConfigure(page: Page, change: Partial<World> = {}) {
  const world: World = { capabilities: EVERYTHING, minutes: UNLIMITED, presets: PRESETS, ...change };
  await intercept(page, "**/api/v1/capabilities", (route) => route.fulfill({ json: world.capabilities }));
  await intercept(page, "**/api/v1/me/minutes", (route) => route.fulfill({ json: world.minutes }));
  await intercept(page, "**/api/v1/presets", (route) => route.fulfill({ json: { presets: world.presets } }));
}
