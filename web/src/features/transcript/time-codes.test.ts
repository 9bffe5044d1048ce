import { expect, it } from "vitest";
import { secondsOfLink, splitTimeCodes, timeCodes } from "./time-codes";

it("finds time codes, and ignores similar text", () => {
  const pieces = splitTimeCodes("На початку [0:07], далі [1:02:34]. А [12:74] і [7] — ні.");
  expect(pieces.map(({ type, value, url }) => (type === "link" ? secondsOfLink(url) : value))).toEqual([
    "На початку ",
    7,
    ", далі ",
    3754,
    ". А [12:74] і [7] — ні.",
  ]);
});

it("splits only text, never links or code", () => {
  const tree = {
    type: "root",
    children: [
      { type: "link", url: "https://example.org", children: [{ type: "text", value: "[0:07]" }] },
      { type: "inlineCode", value: "[0:07]" },
      { type: "paragraph", children: [{ type: "text", value: "[0:07]" }] },
    ],
  };
  timeCodes()(tree);
  expect(tree.children[0]?.children).toEqual([{ type: "text", value: "[0:07]" }]);
  expect(tree.children[2]?.children).toMatchObject([{ type: "link" }]);
});

it("recognises only its own links", () => {
  expect(secondsOfLink("#slovo-time-12")).toBe(12);
  for (const odd of [undefined, "", "#t=12", "#slovo-time-", "#slovo-time-1e9", "javascript:1"]) {
    expect(secondsOfLink(odd)).toBeNull();
  }
});
