import { expect, it } from "vitest";
import { normalizeCode } from "./code";

it.each([
  ["k7mpx", "K7MPX"],
  ["  K7 MPX\n", "K7MPX"],
  ["K7-MPX.", "K7MPX"],
  ["K7MPXQQ", "K7MPX"],
  // Cyrillic letters from the Ukrainian layout only look the same.
  ["К7МРХ", "K7MPX"],
  ["", ""],
])("reads %j as the code %j", (typed, code) => expect(normalizeCode(typed)).toBe(code));
