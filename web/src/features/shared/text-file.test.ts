import { expect, it } from "vitest";
import type { SharedTranscript } from "@/api";
import { fileName, textFile } from "./text-file";

const segment = (start: number, text: string, speaker: string | null) => ({ start, end: start + 1, text, speaker });

it("has the content of the page", () => {
  const transcript = {
    speakers: [{ id: "SPEAKER_0", name: "Ольга" }, { id: "SPEAKER_1" }],
    segments: [
      segment(0, " Добрий день.", "SPEAKER_0"),
      segment(1, "Ви нас чуєте?", "SPEAKER_0"),
      segment(2, "Чую.", "SPEAKER_1"),
      segment(9, "Дуже добре чую.", "SPEAKER_1"),
      segment(10, "…", null),
    ],
  } as unknown as SharedTranscript["transcript"];
  expect(textFile({ title: "Розмова", transcript })).toBe(
    "Розмова\n\nОльга: Добрий день. Ви нас чуєте?\n\nS2: Чую.\n\nДуже добре чую.\n\n…\n",
  );
});

it.each([
  ["Розмова.mp3", "Розмова.mp3.txt"],
  ["a/b\\c:d\u0000e", "a b c d e.txt"],
  ["..", "transcript.txt"],
  ["", "transcript.txt"],
])("%j is saved as %j", (title, name) => {
  expect(fileName(title)).toBe(name);
});
