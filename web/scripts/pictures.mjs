// Renders the raster images of public/ from drawings, design tokens and texts: the icons of the installed application and
// the preview images of links to public pages. Run `node scripts/pictures.mjs` after changing any of these.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { withPalette } from "./palette-png.mjs";

const WEB = new URL("../", import.meta.url);
const read = (path) => readFileSync(new URL(path, WEB), "utf8");
const drawing = (name) => read(`src/drawings/${name}.svg`);

/** The drawing of each page, and its width in the image. */
const PAGES = {
  home: { drawings: ["hero"], width: 640 },
  about: { drawings: ["about"], width: 600 },
  features: {
    drawings: ["accuracy", "realtime", "multilang", "speakers", "formatting", "analytics"].map((name) => `feature-${name}`),
    width: 480,
  },
  pricing: { drawings: ["pricing"], width: 520 },
  contact: { drawings: ["contact"], width: 460 },
};

/** The favicon; `scale` keeps it inside the circle to which a system may crop it. */
const ICONS = [
  { file: "apple-touch-icon.png", size: 180, whole: true, scale: 0.92 },
  { file: "icon-192.png", size: 192, whole: false, scale: 1 },
  { file: "icon-512.png", size: 512, whole: false, scale: 1 },
  { file: "icon-maskable-512.png", size: 512, whole: true, scale: 0.82 },
];

/** Fonts are embedded, because a page without a URL cannot read files. */
function fontFace(family, file, range) {
  const font = readFileSync(new URL(`node_modules/@fontsource-variable/${file}-wght-normal.woff2`, WEB)).toString("base64");
  return `@font-face{font-family:"${family}";font-weight:200 900;src:url(data:font/woff2;base64,${font});unicode-range:${range}}`;
}

const FONTS =
  fontFace("Literata", "literata/files/literata-latin", "U+0000-00FF, U+2000-206F") +
  fontFace("Literata", "literata/files/literata-cyrillic", "U+0301, U+0400-045F, U+0490-0491");

/** Text as HTML; a second sentence starts on a new line. */
const escaped = (text) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(/\. /g, ".<br>");

function pageOf(title, locale, { drawings, width }) {
  return `<!doctype html><html lang="${locale}" data-theme="light"><meta charset="utf-8"><style>
    ${FONTS} ${read("src/styles/tokens.css")}
    * { margin: 0; box-sizing: border-box }
    body { width: 1200px; height: 630px; overflow: hidden; background: var(--paper); color: var(--ink);
      font-family: Literata; font-weight: 600; position: relative }
    header { position: absolute; left: 72px; top: 64px; display: flex; align-items: center; gap: 18px; font-size: 46px; line-height: 1 }
    header svg { height: 42px }
    h1 { position: absolute; left: 72px; bottom: 66px; width: ${1200 - 72 - 56 - 48 - width}px; font-size: 58px; font-weight: 600;
      line-height: 1.16; letter-spacing: -0.012em; text-wrap: balance }
    figure { position: absolute; right: 56px; top: 0; bottom: 0; width: ${width}px; display: flex; flex-wrap: wrap; gap: 52px 56px;
      align-items: center; align-content: center; justify-content: flex-end }
    figure svg { display: block; flex: 1 1 ${drawings.length > 1 ? "40%" : "100%"} }
  </style><header>${drawing("mark")}Slovo</header><h1>${escaped(title)}</h1><figure>${drawings.map(drawing).join("")}</figure></html>`;
}

function iconOf({ size, whole, scale }) {
  const favicon = read("public/favicon.svg");
  const ground = favicon.match(/<rect width="32" height="32" rx="5" fill="(#[0-9a-f]{6})"/)[1];
  const icon = whole ? favicon.replace(' rx="5"', "") : favicon;
  return `<!doctype html><style>
    body { margin: 0; width: ${size}px; height: ${size}px; display: grid; place-items: center; background: ${whole ? ground : "none"} }
    svg { width: ${size * scale}px; height: ${size * scale}px }
  </style>${icon}`;
}

const browser = await chromium.launch({
  executablePath: process.env.SLOVO_CHROMIUM ?? "/usr/bin/chromium",
  // For equal pixels on every machine, independent of its fonts, screen and colours.
  args: ["--no-sandbox", "--disable-gpu", "--disable-lcd-text", "--font-render-hinting=none", "--force-color-profile=srgb"],
});

async function picture(file, html, size) {
  const page = await browser.newPage({ viewport: size });
  await page.setContent(html);
  await page.evaluate(() => document.fonts.ready);
  const png = withPalette(await page.screenshot({ omitBackground: true }));
  await page.close();
  writeFileSync(new URL(`public/${file}`, WEB), png);
  console.log(`${file}: ${(png.length / 1000).toFixed(1)} kB`);
}

mkdirSync(fileURLToPath(new URL("public/og", WEB)), { recursive: true });
for (const icon of ICONS) await picture(icon.file, iconOf(icon), { width: icon.size, height: icon.size });
for (const locale of ["uk", "en"]) {
  const { pages } = JSON.parse(read(`src/locales/${locale}/site.json`));
  for (const [name, look] of Object.entries(PAGES)) {
    await picture(`og/${name}-${locale}.png`, pageOf(pages[name].og_title, locale, look), { width: 1200, height: 630 });
  }
}
await browser.close();
