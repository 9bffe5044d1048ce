import { expect, it } from "vitest";
import { normalizeCode } from "./code";

it.each([
  ["k7mpx", "K7MPX"],
  ["  K7 MPX\n", "K7MPX"],
  ["K7-MPX.", "K7MPX"],
  ["K7MPXQQ", "K7MPX"],
  // Typed with the Ukrainian layout on: looks the same, is not the same.
  ["К7МРХ", "K7MPX"],
  ["", ""],
])("%j is the code %j", (typed, code) => expect(normalizeCode(typed)).toBe(code));
