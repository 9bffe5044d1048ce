/** The file that a photo is cut out of. It may be larger than what is sent, but not without end. */
import type { BrokenRule } from "@/hooks/use-violation-text";
import { limits, validateAvatar } from "@/rules";

const BYTES_PER_MB = 1024 * 1024;
/** Largest original, in megabytes: twice what the cameras of today write. */
export const MAX_ORIGINAL_MB = 25;

/** Why this file is no photo to cut from, by its size and its first bytes; null if it is one. Nothing is decoded for it. */
export async function originalFault(file: Blob): Promise<BrokenRule | null> {
  const head = new Uint8Array(await file.slice(0, limits().sniff_bytes).arrayBuffer());
  // The rule's limit is for what is sent; a crop is within it whatever the original weighs.
  const [fault] = validateAvatar(head, head.length);
  if (fault) return fault;
  if (file.size <= MAX_ORIGINAL_MB * BYTES_PER_MB) return null;
  return { field: "avatar", code: "avatar_too_large", params: { max_mb: MAX_ORIGINAL_MB } };
}

/** What a file that begins like an image, but cannot be drawn, is told. */
export const NOT_AN_IMAGE: BrokenRule = { field: "avatar", code: "avatar_not_image", params: {} };

/** Decodes it. Rejects if the browser cannot. */
export async function decode(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}
