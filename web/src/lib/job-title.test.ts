import { expect, test } from "vitest";
import { fileStemOf, titleOf } from "./job-title";

test.each([
  { title: "Нарада", original_filename: "a.mp3", called: "Нарада", stem: "Нарада" },
  { title: "Interview v1.2", original_filename: "a.mp3", called: "Interview v1.2", stem: "Interview v1.2" },
  { title: null, original_filename: "talk.mp3", called: "talk.mp3", stem: "talk" },
  { title: "", original_filename: "a.b.mp3", called: "a.b.mp3", stem: "a.b" },
  { original_filename: "talk", called: "talk", stem: "talk" },
  { original_filename: ".mp3", called: ".mp3", stem: ".mp3" },
  { original_filename: "..mp3", called: "..mp3", stem: "..mp3" },
  { original_filename: "", called: "", stem: "" },
])("a job called $called is exported as $stem", ({ called, stem, ...job }) => {
  expect(titleOf(job)).toBe(called);
  expect(fileStemOf(job)).toBe(stem);
});
