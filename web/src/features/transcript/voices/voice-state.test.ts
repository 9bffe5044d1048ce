import { describe, expect, it } from "vitest";
import type { JobVoices, RememberedVoice, Voice } from "@/api/voices";
import { ended, isWorthComparing, voiceNamed } from "./voice-state";

const voice = (id: string, name: string, state: Voice["state"] = "ready"): Voice => ({
  id,
  name,
  state,
  seconds: 12,
  recordings: 1,
  created_at: "2026-11-20T14:05:00Z",
  updated_at: "2026-11-20T14:05:00Z",
});

const remembered = (speaker: string, of: string, state: Voice["state"]): RememberedVoice => ({
  speaker,
  voice: of,
  name: "Олена",
  state,
});

const text = (change: Partial<JobVoices> = {}): JobVoices => ({
  version: 1,
  looking: false,
  compared: false,
  proposals: [],
  remembered: [],
  ...change,
});

const SPEAKERS = [{ id: "SPEAKER_0", name: "Тарас" }, { id: "SPEAKER_1" }];

describe("voiceNamed", () => {
  it("finds the voice with this name, however it is written", () => {
    expect(voiceNamed(" олена", [voice("a", "Олена"), voice("b", "Тарас")])).toBe("a");
  });

  it("finds none if there is none, or several", () => {
    expect(voiceNamed("Олена", [voice("b", "Тарас")])).toBeNull();
    expect(voiceNamed("Олена", [voice("a", "Олена"), voice("b", "Олена")])).toBeNull();
  });
});

describe("isWorthComparing", () => {
  it("is true with a voice and a speaker without a name", () => {
    expect(isWorthComparing(text(), [voice("a", "Олена")], SPEAKERS)).toBe(true);
  });

  it("is false during and after a comparison", () => {
    expect(isWorthComparing(text({ looking: true }), [voice("a", "Олена")], SPEAKERS)).toBe(false);
    expect(isWorthComparing(text({ compared: true }), [voice("a", "Олена")], SPEAKERS)).toBe(false);
  });

  it("is false without a voice that is ready and from another text", () => {
    expect(isWorthComparing(text(), [], SPEAKERS)).toBe(false);
    expect(isWorthComparing(text(), [voice("a", "Олена", "learning")], SPEAKERS)).toBe(false);
    const own = text({ remembered: [remembered("SPEAKER_0", "a", "ready")] });
    expect(isWorthComparing(own, [voice("a", "Тарас")], SPEAKERS)).toBe(false);
  });

  it("is false if every speaker is known", () => {
    expect(isWorthComparing(text(), [voice("a", "Олена")], [{ id: "SPEAKER_0", name: "Тарас" }])).toBe(false);
    const own = text({ remembered: [remembered("SPEAKER_1", "b", "ready")] });
    expect(isWorthComparing(own, [voice("a", "Олена"), voice("b", "Іван")], SPEAKERS)).toBe(false);
  });
});

describe("ended", () => {
  it("lists what was being computed and is not any more", () => {
    const before = [remembered("SPEAKER_0", "a", "learning"), remembered("SPEAKER_1", "b", "learning")];
    const now = [remembered("SPEAKER_0", "a", "ready"), remembered("SPEAKER_1", "b", "learning")];
    expect(ended(before, now)).toEqual([now[0]]);
  });

  it("lists nothing that was already so when the page was opened", () => {
    expect(ended([], [remembered("SPEAKER_0", "a", "ready")])).toEqual([]);
  });
});
