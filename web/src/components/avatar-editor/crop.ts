/** Cuts a square out of a photo and encodes it for upload. */
import { limits } from "@/rules";

/** A part of a photo, in its own pixels. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Maximum edge of the uploaded image, in pixels: twice the size that the server stores, for better scaling. */
const MAX_EDGE_PX = 800;
/** In descending quality; the first one below the size limit is used. */
const QUALITIES = [0.92, 0.8, 0.6, 0.4];
/** Formats by preference: WebP if the browser can encode it, otherwise JPEG. */
const TYPES = ["image/webp", "image/jpeg"];

/** A square entirely within a photo of this size: croppers return fractions, and sometimes a pixel too much. */
export function squareWithin(area: Area, photo: { width: number; height: number }): Area {
  const edge = Math.max(1, Math.round(Math.min(area.width, area.height, photo.width, photo.height)));
  const within = (start: number, length: number) => Math.max(0, Math.min(Math.round(start), length - edge));
  return { x: within(area.x, photo.width), y: within(area.y, photo.height), width: edge, height: edge };
}

/** Edge of the drawn image in pixels: never larger than the selected part of the photo. */
export const outputEdge = (edge: number): number => Math.min(edge, MAX_EDGE_PX);

/** Draws the square. Rejects if the browser cannot encode an image. */
export async function cropped(photo: HTMLImageElement, area: Area): Promise<Blob> {
  const square = squareWithin(area, { width: photo.naturalWidth, height: photo.naturalHeight });
  const edge = outputEdge(square.width);
  const canvas = document.createElement("canvas");
  canvas.width = edge;
  canvas.height = edge;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser gives no canvas");
  // White behind transparent pixels, which JPEG would show black.
  context.fillStyle = "white";
  context.fillRect(0, 0, edge, edge);
  context.imageSmoothingQuality = "high";
  context.drawImage(photo, square.x, square.y, square.width, square.height, 0, 0, edge, edge);
  return encodeWithin((type, quality) => written(canvas, type, quality), limits().max_avatar_bytes);
}

/**
 * The best image of at most so many bytes. A browser that cannot encode a type returns another one, which is not used.
 */
export async function encodeWithin(
  write: (type: string, quality: number) => Promise<Blob | null>,
  maxBytes: number,
): Promise<Blob> {
  for (const type of TYPES) {
    for (const quality of QUALITIES) {
      const image = await write(type, quality);
      if (image?.type !== type) break;
      if (image.size <= maxBytes) return image;
    }
  }
  throw new Error("this browser writes no image that is small enough");
}

const written = (canvas: HTMLCanvasElement, type: string, quality: number) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality));
