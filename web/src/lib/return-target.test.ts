import { expect, it } from "vitest";
import { returnPath, returnTarget } from "./return-target";

it.each([
  ["the same user returns to their page", { from: "/transcription/7?t=3#w", user: "a" }, "/transcription/7?t=3#w"],
  ["another user is not taken to it", { from: "/transcription/7", user: "b" }, null],
  ["a page opened while signed out is for any user", { from: "/upload" }, "/upload"],
  ["there is no state", null, null],
  ["the state is of another kind", { idx: 3 }, null],
  ["a URL of another server", { from: "//evil.example/login" }, null],
  ["a URL of another server with a backslash", { from: "/\\evil.example" }, null],
  ["a script", { from: "javascript:alert(1)" }, null],
])("%s", (_, state, place) => expect(returnPath(state, "a")).toBe(place));

it("contains nothing but the target", () => {
  expect(returnTarget({ from: "/upload", user: "a", signup: { registration: "secret" } })).toEqual({
    from: "/upload",
    user: "a",
  });
});
