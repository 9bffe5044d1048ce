/** Cuts a square out of a photo and writes it as an image that the server takes. */
import { limits } from "@/rules";

/** A part of a photo, in its own pixels. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Edge of the largest picture sent, in pixels: twice what the server keeps, so that its drawing has something to draw from. */
const MAX_EDGE_PX = 800;
/** From the best to the smallest; the first that is light enough is sent. */
const QUALITIES = [0.92, 0.8, 0.6, 0.4];
/** A format that the browser can encode: WebP, otherwise JPEG. */
const TYPES = ["image/webp", "image/jpeg"];

/** The square to be drawn, wholly inside a photo of the given size: croppers give fractions, and now and then a pixel too much. */
export function squareWithin(area: Area, photo: { width: number; height: number }): Area {
  const edge = Math.max(1, Math.round(Math.min(area.width, area.height, photo.width, photo.height)));
  const within = (start: number, length: number) => Math.max(0, Math.min(Math.round(start), length - edge));
  return { x: within(area.x, photo.width), y: within(area.y, photo.height), width: edge, height: edge };
}

/** Edge of the picture drawn from a square of the given edge: never larger than the photo has pixels for. */
export const drawnEdge = (edge: number): number => Math.min(edge, MAX_EDGE_PX);

/** Draws the square. Rejects if this browser cannot write an image. */
export async function cropped(photo: HTMLImageElement, area: Area): Promise<Blob> {
  const square = squareWithin(area, { width: photo.naturalWidth, height: photo.naturalHeight });
  const edge = drawnEdge(square.width);
  const canvas = document.createElement("canvas");
  canvas.width = edge;
  canvas.height = edge;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser gives no canvas");
  // Paper under what is transparent: JPEG would show it black.
  context.fillStyle = "white";
  context.fillRect(0, 0, edge, edge);
  context.imageSmoothingQuality = "high";
  context.drawImage(photo, square.x, square.y, square.width, square.height, 0, 0, edge, edge);
  return lightEnough((type, quality) => written(canvas, type, quality), limits().max_avatar_bytes);
}

/** The best image of at most so many bytes. A browser that cannot write a type gives another one, which is not used. */
export async function lightEnough(
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
