import { expect, it } from "vitest";
import { returnPath, returnTarget } from "./return-target";

it.each([
  ["the same user comes back to their page", { from: "/transcription/7?t=3#w", user: "a" }, "/transcription/7?t=3#w"],
  ["another user is not led to it", { from: "/transcription/7", user: "b" }, null],
  ["a page that a stranger opened is for whoever signs in", { from: "/upload" }, "/upload"],
  ["nobody wanted anything", null, null],
  ["a state of something else", { idx: 3 }, null],
  ["another server's address", { from: "//evil.example/login" }, null],
  ["another server's address, as browsers also read it", { from: "/\\evil.example" }, null],
  ["a script", { from: "javascript:alert(1)" }, null],
])("%s", (_, state, place) => expect(returnPath(state, "a")).toBe(place));

it("carries nothing but the way back", () => {
  expect(returnTarget({ from: "/upload", user: "a", signup: { registration: "secret" } })).toEqual({
    from: "/upload",
    user: "a",
  });
});
