import { describe, expect, it, vi } from "vitest";
import { encodeWithin, outputEdge, squareWithin } from "./crop";

describe("the square cut out of a photo", () => {
  const PHOTO = { width: 4000, height: 3000 };

  it.each([
    [
      { x: 500.4, y: 0.2, width: 2999.6, height: 2999.6 },
      { x: 500, y: 0, width: 3000, height: 3000 },
    ],
    // A rounded-up area must not exceed the photo: the canvas would have an empty stripe.
    [
      { x: 1001, y: 1, width: 3000, height: 3000 },
      { x: 1000, y: 0, width: 3000, height: 3000 },
    ],
    [
      { x: -0.4, y: -12, width: 900, height: 900 },
      { x: 0, y: 0, width: 900, height: 900 },
    ],
    [
      { x: 3999.7, y: 2999.7, width: 0.2, height: 0.2 },
      { x: 3999, y: 2999, width: 1, height: 1 },
    ],
    [
      { x: 10, y: 10, width: 700, height: 699 },
      { x: 10, y: 10, width: 699, height: 699 },
    ],
  ])("%o becomes %o", (area, square) => expect(squareWithin(area, PHOTO)).toEqual(square));

  it("is drawn at most 800 pixels wide, and never enlarged", () => {
    expect([3000, 800, 120].map(outputEdge)).toEqual([800, 800, 120]);
  });
});

describe("the image that is sent", () => {
  const image = (type: string, size: number) => new Blob([new Uint8Array(size)], { type });

  it("is the best WebP within the size limit", async () => {
    const write = vi.fn(async (type: string, quality: number) => image(type, Math.round(quality * 100)));
    expect(await encodeWithin(write, 80)).toMatchObject({ type: "image/webp", size: 80 });
  });

  it("is a JPEG if the browser cannot encode WebP", async () => {
    const write = async (type: string) => image(type === "image/webp" ? "image/png" : type, 10);
    expect((await encodeWithin(write, 80)).type).toBe("image/jpeg");
  });

  it.each([async () => null, async (type: string) => image(type, 81)])("is none rather than a wrong one", async (write) => {
    await expect(encodeWithin(write, 80)).rejects.toThrow();
  });
});
