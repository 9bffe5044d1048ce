/** Manual subtitles: times, the waveform with blocks, limits, and captions on the video. */
import { execFileSync } from "node:child_process";
import { expect, type Locator, type Page } from "@playwright/test";
import en from "../../src/locales/en/editor.json" with { type: "json" };
import enPlayer from "../../src/locales/en/player.json" with { type: "json" };
import uk from "../../src/locales/uk/editor.json" with { type: "json" };
import ukPlayer from "../../src/locales/uk/player.json" with { type: "json" };
import { signIn } from "../accounts";
import { withFigures } from "../figures";
import { eachLocale, eachLook } from "../looks";
import { sessionOf } from "../mock-api";
import { expectAccessible, playerState } from "../test";
import { LOOKS, withWorld } from "../workplace";

interface Look {
  locale?: "uk" | "en";
  theme?: "light" | "dark";
  width?: 390 | 1280;
}

const test = withWorld.extend<{ open: (look?: Look) => Promise<void> }>({
  open: async ({ page, context, world }, use) => {
    await use(async ({ locale = "uk", theme = "light", width = 1280 } = {}) => {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 800 });
      await signIn(context, sessionOf({ signedIn: true, jobs: [] }), { locale, theme });
      await page.goto(`${world.origin}/transcription/${world.job.my_job_id}?tab=subtitles`);
      await expect(page.getByTestId("cue").first()).toBeVisible();
    });
  },
});

test.setTimeout(90_000);
test.use({ actionTimeout: 10_000 });

/** «Що саме ви вивезли першим?»: a line with one subtitle. */
const LINE = 5;
const NUMBER = String(LINE + 1);
/** Initial scale of the strip, in pixels per second. */
const SCALE = 60;

const named = (text: string, number: string) => text.replace("{{number}}", number);
const startField = (page: Page, number = NUMBER) =>
  page.getByRole("textbox", { name: named(uk.cues.startOf, number), exact: true });
const endField = (page: Page, number = NUMBER) => page.getByRole("textbox", { name: named(uk.cues.endOf, number), exact: true });
const textField = (page: Page, number = NUMBER) =>
  page.getByRole("textbox", { name: named(uk.subtitles.text, number), exact: true });
const block = (page: Page, number = NUMBER) =>
  page.getByTestId("cue-strip").getByRole("button", { name: new RegExp(`^Субтитр ${number.replace(".", "\\.")},`) });
const tool = (page: Page, name: keyof typeof uk.cues.tools) =>
  page.getByRole("group", { name: uk.cues.toolbar }).getByRole("button", { name: uk.cues.tools[name], exact: true });
const undo = (page: Page) => page.getByRole("button", { name: uk.toolbar.undo, exact: true });
const redo = (page: Page) => page.getByRole("button", { name: uk.toolbar.redo, exact: true });

/** `1:02,480` in seconds. */
const secondsOf = (written: string): number => {
  const [minutes = "0", seconds = "0"] = written.split(":");
  return Number(minutes) * 60 + Number(seconds.replace(",", "."));
};
const written = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(3).padStart(6, "0").replace(".", ",")}`;
const timeIn = async (field: Locator): Promise<number> => secondsOf(await field.inputValue());

/** The position of an element on the screen. */
async function boxOf(of: Locator) {
  const box = await of.boundingBox();
  if (!box) throw new Error("it is not on the screen");
  return box;
}

/** Puts the caret after this many words of a subtitle. */
async function caretBehind(page: Page, words: number, number = NUMBER): Promise<void> {
  await textField(page, number).click();
  await page.keyboard.press("Control+Home");
  for (let step = 0; step < words; step += 1) await page.keyboard.press("Control+ArrowRight");
}

test("a typed time moves the block, can be undone and redone, and survives a reload", async ({ page, world, open }) => {
  await open();
  const field = startField(page);
  await field.focus();
  await expect(block(page)).toBeInViewport();
  const before = await boxOf(block(page));
  const start = await timeIn(field);
  await field.fill(written(start + 0.5));
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await boxOf(block(page))).x - before.x).toBeCloseTo(0.5 * SCALE, 0);
  expect((await boxOf(block(page))).width).toBeCloseTo(before.width - 0.5 * SCALE, 0);
  await expect.poll(() => world.segments[LINE]?.cues?.[0]?.start).toBeCloseTo(start + 0.5, 3);
  expect(world.journal.map(({ kind }) => kind)).toEqual(["set_cues"]);

  await undo(page).click();
  await expect.poll(async () => (await boxOf(block(page))).x).toBeCloseTo(before.x, 0);
  await expect(field).toHaveValue(written(start));
  await redo(page).click();
  await expect(field).toHaveValue(written(start + 0.5));
  await expect.poll(() => world.segments[LINE]?.cues?.[0]?.start).toBeCloseTo(start + 0.5, 3);
  await page.reload();
  await expect(startField(page)).toHaveValue(written(start + 0.5));
});

test("frames and hours are parsed, arrow keys nudge, and invalid times are reported and not sent", async ({
  page,
  world,
  open,
}) => {
  await open();
  const field = startField(page);
  const start = await timeIn(field);
  const wholeSecond = Math.floor(start) + 1;
  const two = (value: number) => String(value).padStart(2, "0");
  await field.fill(`00:${two(Math.floor(wholeSecond / 60))}:${two(wholeSecond % 60)}:05`);
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue(written(wholeSecond + 0.2));
  await page.keyboard.press("ArrowUp");
  await expect(field).toHaveValue(written(wholeSecond + 0.24));
  await page.keyboard.press("Shift+ArrowDown");
  await expect(field).toHaveValue(written(wholeSecond + 0.14));
  await expect.poll(() => world.segments[LINE]?.cues?.[0]?.start).toBeCloseTo(wholeSecond + 0.14, 3);
  const edits = world.journal.length;

  for (const [wrong, why] of [
    ["так", uk.cues.problems.unreadable],
    [written((await timeIn(endField(page))) + 1), withFigures(uk.cues.problems.order)],
  ] as const) {
    await field.fill(wrong);
    await page.keyboard.press("Enter");
    await expect(page.getByText(why)).toBeVisible();
    await expect(field).toHaveAttribute("aria-invalid", "true");
  }
  await page.keyboard.press("Escape");
  await expect(field).toHaveValue(written(wholeSecond + 0.14));
  await endField(page).fill("99:00");
  await page.keyboard.press("Enter");
  await expect(page.getByText(uk.cues.problems.outside)).toBeVisible();
  expect(world.journal).toHaveLength(edits);
});

test("dragging an edge changes its time, dragging the body moves the block, Escape cancels", async ({ page, world, open }) => {
  await open();
  await endField(page).focus();
  const end = await timeIn(endField(page));
  const start = await timeIn(startField(page));
  const drag = async (from: number, by: number, drop = true) => {
    const { x, y, height } = await boxOf(block(page));
    await page.mouse.move(x + from, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + from + by, y + height / 2, { steps: 6 });
    if (drop) await page.mouse.up();
  };
  const { width } = await boxOf(block(page));
  await drag(width - 3, -40);
  // It may snap to a near position.
  await expect.poll(() => timeIn(endField(page))).toBeLessThan(end - 0.5);
  expect(await timeIn(endField(page))).toBeGreaterThan(end - 0.8);
  await expect(startField(page)).toHaveValue(written(start));
  await expect.poll(() => world.journal.length).toBe(1);

  const long = (await timeIn(endField(page))) - start;
  await drag(30, 24);
  await expect.poll(() => timeIn(startField(page))).toBeGreaterThan(start + 0.25);
  expect((await timeIn(endField(page))) - (await timeIn(startField(page)))).toBeCloseTo(long, 2);
  await expect.poll(() => world.journal.map(({ kind }) => kind)).toEqual(["set_cues", "set_cues"]);

  const initialTime = await timeIn(startField(page));
  await drag(30, 40, false);
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await expect(startField(page)).toHaveValue(written(initialTime));
  expect(world.journal).toHaveLength(2);
});

test("keys move a block: a held key is one undo step, brackets move edges, up and down select another one", async ({
  page,
  world,
  open,
}) => {
  await open();
  await startField(page).focus();
  const start = await timeIn(startField(page));
  const end = await timeIn(endField(page));
  await block(page).focus();
  await page.keyboard.press("]");
  await expect(startField(page)).toHaveValue(written(start + 0.04));
  await expect(endField(page)).toHaveValue(written(end));
  await page.keyboard.down("Shift");
  for (let times = 0; times < 5; times += 1) await page.keyboard.down("BracketLeft");
  await page.keyboard.up("BracketLeft");
  await page.keyboard.up("Shift");
  await expect(endField(page)).toHaveValue(written(end - 0.2));
  await expect(page.getByTestId("cue-told")).toContainText(written(end - 0.2));
  await expect.poll(() => world.journal.length).toBe(2);
  await expect(block(page)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByTestId("cue-strip").locator(":focus")).toHaveAttribute("data-segment", String(LINE + 1));
  await page.keyboard.press("ArrowUp");
  await expect(block(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(textField(page)).toBeFocused();
});

test("a subtitle is split at the caret and joined, a line is inserted, and all of it is undone", async ({
  page,
  world,
  open,
}) => {
  await open();
  await caretBehind(page, 3);
  await page.keyboard.press("Alt+Enter");
  await expect(textField(page, `${NUMBER}.1`)).toHaveValue("Що саме ви");
  await expect(textField(page, `${NUMBER}.2`)).toHaveValue("вивезли першим?");
  await expect.poll(() => world.segments[LINE]?.cues?.map(({ at }) => at)).toEqual([0, "Що саме ви ".length]);
  const [first, second] = world.segments[LINE]?.cues ?? [];
  expect(second?.start ?? 0).toBeGreaterThan(first?.end ?? 0);

  await tool(page, "join").click();
  await expect(textField(page)).toHaveValue("Що саме ви вивезли першим?");
  await expect.poll(() => world.segments[LINE]?.cues?.length).toBe(1);

  await tool(page, "insert").click();
  const sheet = page.getByRole("dialog", { name: uk.cues.line.insert });
  await sheet.getByRole("button", { name: uk.cues.line.add }).click();
  await expect(sheet.getByText(uk.cues.line.empty)).toBeVisible();
  await sheet.getByRole("textbox", { name: uk.cues.line.text, exact: true }).fill("Кажіть.");
  await sheet.getByRole("button", { name: uk.cues.line.add }).click();
  await expect(sheet).toBeHidden();
  await expect(textField(page, String(LINE + 2))).toHaveValue("Кажіть.");
  await expect.poll(() => world.segments[LINE + 1]?.text).toBe("Кажіть.");
  expect(world.segments).toHaveLength(27);

  for (let step = 0; step < 3; step += 1) await undo(page).click();
  await expect.poll(() => world.segments.length).toBe(26);
  await expect.poll(() => world.segments[LINE]?.cues?.length ?? 0).toBe(0);
  await expect(textField(page)).toHaveValue("Що саме ви вивезли першим?");
});

test("a line break is inserted manually, and reset to automatic layout", async ({ page, world, open }) => {
  await open();
  await expect(tool(page, "byRule")).toHaveAttribute("aria-disabled", "true");
  await caretBehind(page, 3);
  await page.keyboard.press("Shift+Enter");
  await expect(textField(page)).toHaveValue("Що саме ви\nвивезли першим?");
  await expect.poll(() => world.segments[LINE]?.cues?.[0]?.breaks.length).toBe(1);
  await tool(page, "byRule").click();
  await expect(textField(page)).toHaveValue("Що саме ви вивезли першим?");
  await expect.poll(() => world.segments[LINE]?.cues).toEqual([]);
});

test("text typed while the line is being saved is not duplicated when its subtitles change", async ({ page, world, open }) => {
  await open();
  await textField(page).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" Розкажіть, будь ласка, докладно і без поспіху.");
  await expect
    .poll(() => world.text(String(LINE)))
    .toBe("Що саме ви вивезли першим? Розкажіть, будь ласка, докладно і без поспіху.");
  await page.keyboard.type(" Так.");
  await expect
    .poll(() => world.text(String(LINE)))
    .toBe("Що саме ви вивезли першим? Розкажіть, будь ласка, докладно і без поспіху. Так.");
});

test("a subtitle's start and end are set to the playback position", async ({ page, world, open }) => {
  await open();
  const start = await timeIn(startField(page));
  await textField(page).focus();
  const place = async (seconds: number) => {
    const { y } = await boxOf(page.getByTestId("cue-strip"));
    const { x } = await boxOf(block(page));
    // The ruler above the blocks is not covered.
    await page.mouse.click(x + (seconds - start) * SCALE, y + 6);
  };
  await place(start + 0.4);
  await page.keyboard.press("Alt+[");
  await expect.poll(async () => (await timeIn(startField(page))) - start).toBeCloseTo(0.4, 1);
  await expect.poll(() => world.journal.map(({ kind }) => kind)).toEqual(["set_cues"]);
});

test("missed speech is inserted by a double click or a drag on the waveform, and a click plays", async ({
  page,
  world,
  open,
}) => {
  await open();
  const strip = page.getByTestId("cue-strip");
  const sheet = page.getByRole("dialog", { name: uk.cues.line.insert });
  const starts = sheet.getByRole("textbox", { name: uk.cues.line.start });
  const ends = sheet.getByRole("textbox", { name: uk.cues.line.end });
  // The first subtitle starts at 0.5 s.
  await strip.dblclick({ position: { x: 15, y: 40 } });
  expect(await timeIn(starts)).toBeCloseTo(0.25, 1);
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  // The first click of a double click plays from there.
  await expect.poll(async () => (await playerState(page)).time).toBeCloseTo(0.25, 1);

  const { x, y, height } = await boxOf(strip);
  await page.mouse.move(x + 12, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + 66, y + height / 2, { steps: 5 });
  await page.mouse.up();
  expect(await timeIn(starts)).toBeCloseTo(0.2, 1);
  expect(await timeIn(ends)).toBeCloseTo(1.1, 1);
  await starts.fill("0:00,200");
  await ends.fill("0:01,100");
  await sheet.getByRole("textbox", { name: uk.cues.line.text, exact: true }).fill("Починаємо.");
  await page.getByRole("button", { name: uk.cues.line.add }).click();
  await expect.poll(() => world.segments[0]).toMatchObject({ text: "Починаємо.", start: 0.2, end: 1.1 });
  await expect(textField(page, "1")).toHaveValue("Починаємо.");
});

test("moving the times of a line moves its words and subtitles", async ({ page, world, open }) => {
  await open();
  const { start = 0, end = 0, words = [] } = world.segments[LINE] ?? {};
  await page.getByRole("button", { name: named(uk.cues.actions, NUMBER), exact: true }).click();
  await page.getByRole("menuitem", { name: uk.cues.tools.lineTimes }).click();
  const sheet = page.getByRole("dialog", { name: uk.cues.line.times });
  await sheet.getByRole("textbox", { name: uk.cues.line.start }).fill("0:00,000");
  await sheet.getByRole("button", { name: uk.cues.line.save }).click();
  await expect(sheet.getByText(uk.cues.problems.neighbours)).toBeVisible();
  await sheet.getByRole("textbox", { name: uk.cues.line.start }).fill(written(start + 0.2));
  await sheet.getByRole("textbox", { name: uk.cues.line.end }).fill(written(end + 0.2));
  await sheet.getByRole("button", { name: uk.cues.line.save }).click();
  await expect(sheet).toBeHidden();
  await expect.poll(() => world.segments[LINE]?.start).toBeCloseTo(start + 0.2, 3);
  expect(world.segments[LINE]?.words[0]?.start).toBeCloseTo((words[0]?.start ?? 0) + 0.2, 2);
});

test("the next subtitle over a limit is shown with the limit, cyclically", async ({ page, world, open }) => {
  // The text does not exceed any limits.
  for (const line of [world.segments[LINE], world.segments[LINE + 10]]) {
    if (!line) throw new Error("no line");
    Object.assign(line, { cues: [{ at: 0, start: line.start, end: line.start + 0.5, breaks: [] }] });
  }
  await open();
  const description = page.getByTestId("cue-told");
  const chosen = page.locator("[data-testid=cue][data-chosen]");
  const next = page.getByRole("button", { name: uk.cues.nextOver });
  await expect(next).not.toHaveAttribute("aria-disabled", "true");
  await next.click();
  await expect(description).toHaveText(/^Субтитр \S+: .+\d/);
  const first = (await description.textContent()) ?? "";
  await expect(chosen).toHaveCount(1);
  await expect(chosen).toBeInViewport();
  const number = /^Субтитр (\S+):/.exec(first)?.[1] ?? "";
  await expect(chosen.getByRole("textbox", { name: named(uk.subtitles.text, number), exact: true })).toBeVisible();
  await expect(block(page, number)).toBeInViewport();
  await page.keyboard.press("F8");
  await expect(description).not.toHaveText(first);
  await expect(chosen).toBeInViewport();
  await page.keyboard.press("Shift+F8");
  await expect(description).toHaveText(first);
  // The previous one of the first is the last.
  await page.keyboard.press("Shift+F8");
  await expect(description).not.toHaveText(first);
  await expect(chosen).toBeInViewport();
  await page.keyboard.press("F8");
  await expect(description).toHaveText(first);
});

test("a subtitle over a limit in a line higher than the window is scrolled into view", async ({ page, world, open }) => {
  const line = world.segments[LINE];
  if (!line) throw new Error("no line");
  const texts = Array.from({ length: 30 }, (_, at) => `Речення ${at + 1}.`);
  const cues = texts.map((_, at) => ({
    at: texts.slice(0, at).reduce((length, text) => length + text.length + 1, 0),
    // All within the line's time, so that later lines keep theirs.
    start: line.start + at * 0.05,
    end: line.start + at * 0.05 + 0.04,
    breaks: [],
  }));
  Object.assign(line, { text: texts.join(" "), words: [], cues });
  await open();
  const previous = page.getByRole("button", { name: uk.cues.previousOver });
  await expect(previous).not.toHaveAttribute("aria-disabled", "true");
  const description = page.getByTestId("cue-told");
  const chosen = page.locator("[data-testid=cue][data-chosen]");
  const isRead = async () => {
    const [row, bar] = [await boxOf(chosen), await boxOf(description)];
    return row.y >= bar.y + bar.height && row.y + row.height <= 800;
  };
  for (const [press, number] of [
    ["Shift+F8", 30],
    ["F8", 1],
    ["F8", 2],
  ] as const) {
    await page.keyboard.press(press);
    await expect(description).toContainText(`${NUMBER}.${number}:`);
    await expect.poll(isRead).toBe(true);
  }
});

test("an emptied subtitle of a line stays until other text is typed", async ({ page, world, open }) => {
  const line = world.segments[LINE];
  if (!line) throw new Error("no line");
  const [first, second] = ["Що саме ви", "вивезли першим?"];
  const middle = (line.start + line.end) / 2;
  Object.assign(line, {
    cues: [
      { at: 0, start: line.start, end: middle, breaks: [] },
      { at: first.length + 1, start: middle, end: line.end, breaks: [] },
    ],
  });
  await open();
  const field = textField(page, `${NUMBER}.1`);
  await field.fill("");
  // Longer than the delay of saving.
  await page.waitForTimeout(2_000);
  expect(world.journal).toEqual([]);
  await expect(textField(page, `${NUMBER}.2`)).toHaveValue(second);
  await field.fill("Що тоді ви");
  await expect.poll(() => world.text(String(LINE))).toBe(`Що тоді ви ${second}`);
  expect(world.segments[LINE]?.cues).toHaveLength(2);
});

test("automatic corrections are previewed, and are one edit with one undo", async ({ page, world, open }) => {
  const line = world.segments[LINE];
  if (!line) throw new Error("no line");
  // Far too fast, followed by silence.
  const short = [{ at: 0, start: line.start, end: line.start + 0.5, breaks: [] }];
  Object.assign(line, { cues: short });
  await open();
  await page.getByRole("button", { name: uk.cues.correct.open }).click();
  const sheet = page.getByRole("dialog", { name: uk.cues.correct.title });
  const change = sheet.getByTestId("correction").filter({ hasText: "Що саме ви вивезли першим?" });
  await expect(change).toContainText(written(line.start + 0.5));
  await expect(sheet.getByRole("status")).toHaveText(/^Поза межами \d+ .+ лишиться \d+\./);
  await expectAccessible(page);
  await sheet.getByRole("button", { name: uk.cues.correct.do, exact: true }).click();
  await expect(sheet).toBeHidden();
  await expect.poll(() => world.journal.map(({ kind }) => kind)).toEqual(["correct_cues"]);
  expect(world.segments[LINE]?.cues?.[0]?.end).toBeGreaterThan(line.start + 1);
  await expect(endField(page)).not.toHaveValue(written(line.start + 0.5));
  await undo(page).click();
  await expect.poll(() => world.segments[LINE]?.cues).toEqual(short);
  await expect(endField(page)).toHaveValue(written(line.start + 0.5));
});

test("the waveform is drawn, zoomed by buttons, keys and the wheel, and follows playback", async ({ page, world, open }) => {
  const peaks = Array.from({ length: 2_000 }, (_, at) => (at % 20 < 10 ? 0.9 : 0.05));
  world.also = (_, response, of) => {
    if (of !== "/waveform") return false;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ duration: world.job.duration, peaks }));
    return true;
  };
  await open();
  const drawn = () =>
    page.getByTestId("cue-wave").evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      return [...data].filter((value, at) => at % 4 === 3 && value > 0).length;
    });
  // Silence is a line of two or three pixels.
  await expect.poll(drawn).toBeGreaterThan(8_000);
  await startField(page).focus();
  const { width } = await boxOf(block(page));
  await page.getByRole("button", { name: uk.cues.zoomIn }).click();
  await startField(page).focus();
  await expect.poll(async () => (await boxOf(block(page))).width).toBeCloseTo(width * 1.5, 0);
  await block(page).focus();
  await page.keyboard.press("-");
  await expect.poll(async () => (await boxOf(block(page))).width).toBeCloseTo(width, 0);
  const { x, y } = await boxOf(block(page));
  await page.mouse.move(x + 10, y + 10);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
  await expect.poll(async () => (await boxOf(block(page))).width).toBeCloseTo(width * 1.5, 0);
  // The time under the pointer does not move.
  expect(Math.abs((await boxOf(block(page))).x + 15 - (x + 10))).toBeLessThan(3);
  await page.getByRole("slider", { name: ukPlayer.seek }).focus();
  // Playback is at the start, so Home alone would change nothing.
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  await expect(page.getByTestId("cue-playhead")).toBeVisible();
  const { x: left } = await boxOf(page.getByTestId("cue-strip"));
  expect((await boxOf(page.getByTestId("cue-playhead"))).x).toBeCloseTo(left, 0);
});

/** Three seconds of a test video. */
const MOVING = execFileSync("ffmpeg", [
  ...["-v", "error", "-f", "lavfi", "-i", "testsrc=d=3:s=320x180:r=5", "-f", "lavfi", "-i", "anullsrc=d=3"],
  ...["-c:v", "libvpx", "-c:a", "libopus", "-f", "webm", "pipe:1"],
]);

const track = (page: Page) =>
  page.locator("video").evaluate((video: HTMLVideoElement) => {
    const [textTrack] = video.textTracks;
    const texts = [...(textTrack?.activeCues ?? [])].map((cue) => (cue as VTTCue).text);
    return { mode: textTrack?.mode, starts: [...(textTrack?.cues ?? [])].map((cue) => cue.startTime), texts };
  });

async function seek(page: Page, seconds: number): Promise<void> {
  await page.locator("video").evaluate((video: HTMLVideoElement, to) => {
    video.currentTime = to;
  }, seconds);
}

const TEXTS = { uk: { editor: uk, player: ukPlayer }, en: { editor: en, player: enPlayer } } as const;
for (const locale of eachLocale("en")) {
  const { editor: texts, player } = TEXTS[locale];
  test(`subtitles are shown on the video at their time, follow edits, and can be hidden permanently, ${locale}`, async ({
    page,
    world,
    open,
  }) => {
    Object.assign(world.job, { has_video: true });
    world.play(MOVING);
    const line = world.segments[0];
    await open({ locale });
    const video = page.locator("video");
    await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.readyState)).toBeGreaterThan(1);
    await seek(page, 0.2);
    await expect.poll(async () => (await track(page)).texts).toEqual([]);
    await seek(page, (line?.start ?? 0) + 0.3);
    // The first speaker is named.
    await expect.poll(async () => (await track(page)).texts.join()).toMatch(/^S1: Добрий день\./);
    expect((await track(page)).texts.join().split("\n").length).toBeLessThanOrEqual(2);
    expect((await track(page)).mode).toBe("showing");
    const withText = await video.screenshot();
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("c");
    const button = page.getByRole("button", { name: player.video.captions });
    await expect(button).toHaveAttribute("aria-pressed", "false");
    expect((await track(page)).mode).toBe("hidden");
    await expect.poll(async () => (await video.screenshot()).equals(withText)).toBe(false);
    await page.reload();
    await expect(button).toHaveAttribute("aria-pressed", "false");
    await button.click();
    await expect(button).toHaveAttribute("aria-pressed", "true");
    await expect.poll(async () => (await track(page)).mode).toBe("showing");
    // Edits are shown on the video at once.
    const field = page.getByRole("textbox", { name: new RegExp(`^${named(texts.cues.startOf, "1")}(\\.1)?$`) });
    await field.fill("0:00.400");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await track(page)).starts).toContain(0.4);
    await seek(page, 0.6);
    await expect.poll(async () => (await track(page)).texts.join()).toMatch(/^S1: Добрий день\./);
  });
}

test("the video is shown in full screen with subtitles, or a failure is reported", async ({ page, world, open }) => {
  Object.assign(world.job, { has_video: true });
  world.play(MOVING);
  await open();
  await page.getByRole("button", { name: ukPlayer.video.fullScreen }).click();
  const fullScreenElement = () => page.evaluate(() => document.fullscreenElement?.tagName ?? null);
  const refused = page.getByText(ukPlayer.video.fullScreenRefused);
  await expect.poll(async () => (await fullScreenElement()) === "VIDEO" || (await refused.isVisible())).toBe(true);
  if ((await fullScreenElement()) === "VIDEO") {
    await expect.poll(() => page.locator("video").evaluate((video: HTMLVideoElement) => video.controls)).toBe(true);
    expect((await track(page)).mode).toBe("showing");
    await page.evaluate(() => document.exitFullscreen());
    await expect.poll(() => page.locator("video").evaluate((video: HTMLVideoElement) => video.controls)).toBe(false);
  }
});

for (const look of eachLook(LOOKS)) {
  test(`screenshots: ${look.width} ${look.theme} ${look.locale}`, async ({ page, open }) => {
    const texts = look.locale === "uk" ? uk : en;
    await open(look);
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    expect(await fits()).toBe(true);
    await expectAccessible(page);
    // Selecting a subtitle does not move the list.
    const bar = page.getByRole("group", { name: texts.cues.toolbar });
    const heights = [(await boxOf(bar)).height];
    const text = page.getByRole("textbox", { name: named(texts.subtitles.text, "2"), exact: true });
    const row = page.getByTestId("cue").filter({ has: text });
    const place = async () => (await boxOf(row)).y - (await boxOf(page.getByTestId("cue").first())).y;
    const before = [await place(), (await boxOf(row)).height];
    await row.getByRole("textbox").first().focus();
    heights.push((await boxOf(bar)).height);
    expect(heights[1]).toBe(heights[0]);
    expect([await place(), (await boxOf(row)).height]).toEqual(before);
    await expectAccessible(page);
    await row.getByRole("button", { name: named(texts.cues.actions, "2"), exact: true }).click();
    await expect(page.getByRole("menuitem", { name: texts.cues.tools.startHere })).toBeVisible();
    expect(await fits()).toBe(true);
    await expectAccessible(page);
    await page.getByRole("menuitem", { name: texts.cues.tools.insert }).click();
    await expect(page.getByRole("dialog", { name: texts.cues.line.insert })).toBeVisible();
    expect(await fits()).toBe(true);
    await expectAccessible(page);
  });
}
