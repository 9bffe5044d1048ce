/** Checks the contrasts and distances documented at the top of tokens.css. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SPEAKER_COLORS } from "@/rules/constants";

type Rgb = readonly [number, number, number];

const css = readFileSync("src/styles/tokens.css", "utf8");
const THEMES = { light: readTheme('[data-theme="light"] {'), dark: readTheme('\n[data-theme="dark"] {') };

const PAPERS = ["paper-sunk", "paper", "paper-raised"];
const TEXTS = ["ink", "ink-soft", "ink-faint", "accent", "accent-strong", "voice-ink", "good", "warn", "bad", "note"];
const SPEAKERS = Array.from({ length: SPEAKER_COLORS }, (_, i) => `speaker-${i}`);

it("each theme has as many speaker colours as the rules", () => {
  const declared = [...css.matchAll(/^\s*--(speaker-\d+):/gm)].map((match) => match[1]);
  expect(declared).toEqual([...SPEAKERS, ...SPEAKERS]);
});

describe.each(Object.entries(THEMES))("contrast, %s", (_theme, colour) => {
  it.each(PAPERS.flatMap((paper) => [...TEXTS, ...SPEAKERS].map((text) => [text, paper] as const)))(
    "%s is read on %s",
    (text, paper) => {
      expect(contrast(colour(text), colour(paper))).toBeGreaterThanOrEqual(4.5);
    },
  );

  it.each([
    ["on-accent", "accent"],
    ["on-accent", "accent-strong"],
    ["paper", "ink"],
    ["ink", "accent-wash"],
    ["ink", "voice-word"],
    ["ink", "voice-wash"],
    ["accent", "accent-wash"],
    ["voice-ink", "voice-wash"],
    ["good", "good-wash"],
    ["warn", "warn-wash"],
    ["bad", "bad-wash"],
    ["note", "note-wash"],
    ["ink", "mark-yellow"],
    ["ink", "mark-green"],
    ["ink", "mark-blue"],
    ["ink", "mark-pink"],
  ])("%s is readable on %s", (text, ground) => {
    expect(contrast(colour(text), colour(ground))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(PAPERS.flatMap((paper) => ["edge", "voice", "accent"].map((line) => [line, paper] as const)))(
    "%s is seen on %s",
    (line, paper) => {
      expect(contrast(colour(line), colour(paper))).toBeGreaterThanOrEqual(3);
    },
  );

  it.each(["normal", "protan", "deutan", "tritan"] as const)("eight speakers stay apart for %s eyes", (eyes) => {
    const pairs = SPEAKERS.flatMap((a, i) =>
      SPEAKERS.slice(i + 1).map((b) => [a, b, distance(see(colour(a), eyes), see(colour(b), eyes))] as const),
    );
    const closest = pairs.reduce((least, pair) => (pair[2] < least[2] ? pair : least));
    expect(closest[2], `${closest[0]} and ${closest[1]}`).toBeGreaterThanOrEqual(eyes === "normal" ? 0.08 : 0.06);
  });
});

function readTheme(head: string): (name: string) => Rgb {
  const start = css.indexOf(head);
  if (start < 0) throw new Error(`tokens.css has no ${head}`);
  const block = css.slice(start, css.indexOf("\n}", start));
  return (name) => {
    const match = new RegExp(`--${name}: oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\)`).exec(block);
    if (!match) throw new Error(`${head} has no colour ${name}`);
    const rgb = fromOklch(Number(match[1]), Number(match[2]), Number(match[3]));
    for (const channel of rgb) if (channel < -0.02 || channel > 1.02) throw new Error(`${name} lies outside sRGB: ${rgb}`);
    return rgb.map((channel) => Math.min(1, Math.max(0, channel))) as unknown as Rgb;
  };
}

/** Converts OKLCH (Björn Ottosson) to linear sRGB. */
function fromOklch(lightness: number, chroma: number, hue: number): Rgb {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function toOklab([r, g, b]: Rgb): Rgb {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** The WCAG 2 contrast ratio of two colours in linear sRGB. */
function contrast(one: Rgb, other: Rgb): number {
  const luminance = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Distance in OKLab; about 0.02 is just noticeable. */
function distance(one: Rgb, other: Rgb): number {
  const [a, b] = [toOklab(one), toOklab(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Simulates colour blindness: Machado, Oliveira and Fernandes 2009, severity 1, in linear sRGB. */
const EYES = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} as const;

function see(colour: Rgb, eyes: keyof typeof EYES): Rgb {
  const perceived = EYES[eyes].map((row) => row[0] * colour[0] + row[1] * colour[1] + row[2] * colour[2]);
  return perceived.map((channel) => Math.min(1, Math.max(0, channel))) as unknown as Rgb;
}
