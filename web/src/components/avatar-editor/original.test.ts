import { expect, it } from "vitest";
import { MAX_ORIGINAL_MB, originalViolation } from "./original";

const MB = 1024 * 1024;
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff, 0xe0];
const WEBP = [...new TextEncoder().encode("RIFF\0\0\0\0WEBPVP8 ")];

const file = (head: readonly number[], size: number) =>
  new File([new Uint8Array(head), new Uint8Array(size - head.length)], "a.png");

it.each([
  ["a photo of 12 MB", file(JPEG, 12 * MB), null],
  ["a PNG of the largest size", file(PNG, MAX_ORIGINAL_MB * MB), null],
  ["a WebP", file(WEBP, 100), null],
  ["a PNG of a byte more", file(PNG, MAX_ORIGINAL_MB * MB + 1), "avatar_too_large"],
  ["a text with an image's name", file([...new TextEncoder().encode("<svg onload=alert(1)>")], 100), "avatar_not_image"],
  ["an empty file", new File([], "a.png"), "avatar_not_image"],
])("checks %s", async (_, original, code) => {
  expect((await originalViolation(original))?.code ?? null).toBe(code);
});

it("reports the limit", async () => {
  expect((await originalViolation(file(PNG, 26 * MB)))?.params).toEqual({ max_mb: MAX_ORIGINAL_MB });
});
