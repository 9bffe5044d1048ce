// Re-encodes a PNG with a palette of its 256 most common colours: a third of the size for flat drawings.
import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const COLOURS = 256;

/** @param {Buffer} png of 8 bits a channel, RGB or RGBA, not interlaced @returns {Buffer} */
export function withPalette(png) {
  const { width, height, pixels } = read(png);
  const palette = commonest(pixels);
  const place = nearestIn(palette);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    // The byte before each row is its filter: none, which suits palettes best.
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = place(pixels[y * width + x]);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((colour) => channels(colour).slice(0, 3)));
  const opacities = Buffer.from(palette.map((colour) => colour & 0xff));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", colours),
    ...(opacities.every((opacity) => opacity === 0xff) ? [] : [chunk("tRNS", opacities)]),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** One number per pixel: 0xRRGGBBAA. */
function read(png) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const bytes = { 2: 3, 6: 4 }[png[25]];
  if (png[24] !== 8 || bytes === undefined || png[28] !== 0) throw new Error("expected an RGB or RGBA picture of 8 bits");
  const parts = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const raw = unfilter(inflateSync(Buffer.concat(parts)), width * bytes, bytes);
  const pixels = new Uint32Array(width * height);
  for (let i = 0; i < pixels.length; i++) {
    const at = i * bytes;
    pixels[i] = ((raw[at] << 24) | (raw[at + 1] << 16) | (raw[at + 2] << 8) | (bytes === 4 ? raw[at + 3] : 0xff)) >>> 0;
  }
  return { width, height, pixels };
}

/** Reverses PNG's row filters, which store differences to neighbouring bytes. */
function unfilter(data, row, step) {
  const height = data.length / (row + 1);
  const out = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (row + 1)];
    for (let x = 0; x < row; x++) {
      const at = y * row + x;
      const left = x >= step ? out[at - step] : 0;
      const up = y > 0 ? out[at - row] : 0;
      const corner = x >= step && y > 0 ? out[at - row - step] : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      out[at] = data[y * (row + 1) + 1 + x] + guess;
    }
  }
  return out;
}

function paeth(left, up, corner) {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** Colours by frequency, then by value, so that the output is deterministic. */
function commonest(pixels) {
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  return [...counts]
    .sort(([a, many], [b, more]) => more - many || a - b)
    .slice(0, COLOURS)
    .map(([colour]) => colour);
}

/** The palette index of the nearest colour. */
function nearestIn(palette) {
  const known = new Map(palette.map((colour, i) => [colour, i]));
  return (colour) => {
    let place = known.get(colour);
    if (place === undefined) {
      const distances = palette.map((other) => distance(colour, other));
      place = distances.indexOf(Math.min(...distances));
      known.set(colour, place);
    }
    return place;
  };
}

const channels = (colour) => [colour >>> 24, (colour >>> 16) & 0xff, (colour >>> 8) & 0xff, colour & 0xff];

function distance(a, b) {
  const other = channels(b);
  return channels(a).reduce((sum, value, i) => sum + (value - other[i]) ** 2, 0);
}

function chunk(name, data) {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  out.write(name, 4, "latin1");
  data.copy(out, 8);
  out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
  return out;
}
