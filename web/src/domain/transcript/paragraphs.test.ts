import { expect, it } from "vitest";
import { plainText } from "./copy-text";
import type { SpokenSegment } from "./model";

function segment(start: number, end: number, text: string, speaker: string | null = null): SpokenSegment {
  return { index: 0, start, end, speaker, text, words: [] };
}

it("joins sentences, and starts a paragraph at a pause or a change of speaker", () => {
  const text = plainText([
    segment(0, 2, "Раз. "),
    segment(2.2, 3, "Два."),
    segment(5, 6, "Три."),
    segment(6, 7, "Чотири.", "SPEAKER_1"),
  ]);
  expect(text).toBe("Раз. Два.\n\nТри.\n\nS2: Чотири.");
  expect(plainText([])).toBe("");
});

it("writes the speaker's name at each change of speaker", () => {
  const text = plainText(
    [
      segment(0, 2, "Раз.", "SPEAKER_0"),
      segment(2.2, 3, "Два.", "SPEAKER_0"),
      segment(5, 6, "Три.", "SPEAKER_0"),
      segment(6, 7, "Чотири.", "SPEAKER_1"),
      segment(7, 8, "П’ять."),
      segment(8, 9, "Шість.", "SPEAKER_0"),
    ],
    [{ id: "SPEAKER_0", name: "Леся" }, { id: "SPEAKER_1" }],
  );
  expect(text).toBe("Леся: Раз. Два.\n\nТри.\n\nS2: Чотири.\n\nП’ять.\n\nЛеся: Шість.");
});
