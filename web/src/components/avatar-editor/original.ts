/** The original file of a photo. It may be larger than the upload, within limits. */
import type { BrokenRule } from "@/hooks/use-violation-text";
import { limits, validateAvatar } from "@/rules";

const BYTES_PER_MB = 1024 * 1024;
/** Largest original, in megabytes: about twice the size of today's camera files. */
export const MAX_ORIGINAL_MB = 25;

/** Why a file cannot be used, by its size and its first bytes; null if it can. Nothing is decoded. */
export async function originalViolation(file: Blob): Promise<BrokenRule | null> {
  const head = new Uint8Array(await file.slice(0, limits().sniff_bytes).arrayBuffer());
  // The rule's size limit applies to the cropped image, not to the original, so only the first bytes are checked.
  const [fault] = validateAvatar(head, head.length);
  if (fault) return fault;
  if (file.size <= MAX_ORIGINAL_MB * BYTES_PER_MB) return null;
  return { field: "avatar", code: "avatar_too_large", params: { max_mb: MAX_ORIGINAL_MB } };
}

/** The violation for a file that looks like an image but cannot be decoded. */
export const NOT_AN_IMAGE: BrokenRule = { field: "avatar", code: "avatar_not_image", params: {} };

/** Decodes the image. Rejects if the browser cannot. */
export async function decode(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}
