/** Strict parsers of subtitle files: any deviation from the format is an error. */
import webvtt from "webvtt-parser";

export interface Cue {
  /** In milliseconds. */
  start: number;
  end: number;
  text: string;
}

const moment = (code: string, separator: "," | "."): number => {
  const parts = /^(\d{2,}):([0-5]\d):([0-5]\d)([,.])(\d{3})$/.exec(code);
  if (!parts || parts[4] !== separator) throw new Error(`no time: ${code}`);
  return ((Number(parts[1]) * 60 + Number(parts[2])) * 60 + Number(parts[3])) * 1000 + Number(parts[5]);
};

/** Checks that cues have positive durations and do not overlap. */
function inOrder(cues: Cue[]): Cue[] {
  let before = 0;
  for (const { start, end, text } of cues) {
    if (start < before || end <= start || text.trim() === "") throw new Error(`${start} to ${end} after ${before}: ${text}`);
    before = end;
  }
  return cues;
}

/** SubRip: numbers from 1, times, one or two lines, an empty line between blocks and none at the end. */
export function readSrt(file: string): Cue[] {
  if (!/[^\n]\n$/.test(file) || file.includes("\r")) throw new Error("ends of lines");
  const blocks = file.slice(0, -1).split("\n\n");
  const cues = blocks.map((block, at) => {
    const [number, times = "", ...lines] = block.split("\n");
    if (number !== String(at + 1) || lines.length < 1 || lines.length > 2) throw new Error(`block ${at + 1}: ${block}`);
    const [start = "", end = ""] = times.split(" --> ");
    return { start: moment(start, ","), end: moment(end, ","), text: lines.join("\n") };
  });
  return inOrder(cues);
}

/** WebVTT, with the W3C's parser. */
export function readVtt(file: string): Cue[] {
  const { cues, errors } = new webvtt.WebVTTParser().parse(file, "captions");
  if (errors.length > 0) throw new Error(JSON.stringify(errors.slice(0, 5)));
  const ms = (seconds: number) => Math.round(seconds * 1000);
  return inOrder(cues.map(({ startTime, endTime, text }) => ({ start: ms(startTime), end: ms(endTime), text })));
}

/** TTML: `parsed` returns its paragraphs from the browser's XML parser. */
export const readTtml = (parsed: { begin: string; end: string; text: string }[]): Cue[] =>
  inOrder(parsed.map(({ begin, end, text }) => ({ start: moment(begin, "."), end: moment(end, "."), text })));

const GENERAL = 1024;
const BLOCK = 128;

/** EBU STL (Tech 3264) with 25 frames per second; one byte per character. */
export function readStl(file: Buffer): Cue[] {
  const field = (at: number, length: number) => file.toString("latin1", at, at + length);
  const blocks = (file.length - GENERAL) / BLOCK;
  if (!Number.isInteger(blocks) || field(0, 11) !== "850STL25.01" || Number(field(238, 5)) !== blocks) {
    throw new Error(`${file.length} bytes, ${field(0, 11)}, ${field(238, 5)} blocks`);
  }
  const cues: Cue[] = [];
  let text = "";
  for (let at = GENERAL; at < file.length; at += BLOCK) {
    const time = (from: number) => {
      const [h = 99, m = 99, s = 99, f = 99] = file.subarray(from, from + 4);
      if (h > 23 || m > 59 || s > 59 || f > 24) throw new Error(`time code ${h}:${m}:${s}:${f}`);
      return ((h * 60 + m) * 60 + s) * 1000 + f * 40;
    };
    if (file.readUInt16LE(at + 1) !== cues.length) throw new Error(`subtitle ${file.readUInt16LE(at + 1)}`);
    text += field(at + 16, BLOCK - 16).replace(/\x8f+$/, "");
    if (file[at + 3] !== 0xff) continue;
    cues.push({ start: time(at + 5), end: time(at + 9), text });
    text = "";
  }
  if (Number(field(243, 5)) !== cues.length) throw new Error(`${field(243, 5)} of ${cues.length} subtitles`);
  return inOrder(cues);
}
