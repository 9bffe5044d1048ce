/**
 * Opening, scrolling, typing and seeking in a text of 100,000 words (ten hours). Always checked: only a part is rendered,
 * and a keystroke costs about as much as in a short text. With SLOVO_SPEED=1, times are measured, in ms of a processor that
 * is four times slower. SLOVO_TEXTS: a file of real texts (JSON lines with `transcript`).
 */
import { type CDPSession, expect, type Page, test } from "@playwright/test";
import uk from "../../src/locales/uk/editor.json" with { type: "json" };
import { signIn } from "../accounts";
import { sessionOf } from "../mock-api";
import { interview, jobOf, longText, SPEAKERS, silence } from "../transcript-text";
import { TranscriptWorld } from "../transcript-world";

const WORDS = 100_000;
const SECONDS = 36_000;
const SLOWDOWN = 4;
const MEASURED = process.env.SLOVO_SPEED === "1";
/** Maximum ratio of the work of a keystroke in the long text to that in the short one, to detect work that grows with it. */
const MAX_RATIO = 8;

test.setTimeout(300_000);
// A trace takes a screenshot for every key, which costs more than the keystroke.
test.use({ trace: "off" });
test.skip(({ browserName }) => browserName !== "chromium", "speaks to Chromium's own protocol");

async function openWorld(page: Page, segments: ReturnType<typeof interview>): Promise<TranscriptWorld> {
  const world = new TranscriptWorld(jobOf(segments), segments, SPEAKERS);
  world.play(silence(60));
  await world.start();
  await signIn(page.context(), sessionOf({ signedIn: true, jobs: [] }));
  return world;
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Start and duration in wall-clock time, in µs. */
  ts: number;
  dur?: number;
  /** Processor time of the thread, in µs. */
  tdur?: number;
  args: { name?: string; chrome_mojo_event_info?: { mojo_interface_tag?: string } };
}

/** Work of the main thread, in ms of the slower processor. */
interface MainThreadWork {
  /** The longest frame: everything from one frame to the next, or to an idle period. */
  frame: number;
  /** The median frame, and the number of long ones. */
  median: number;
  late: number;
  frames: number;
  /** The longest task. */
  task: number;
  /** The total. */
  all: number;
}

/** Longer frames are visible, in ms. */
const LATE = 33;
/** A task with a larger share of garbage collection counts as a task of the collector. */
const COLLECTING = 0.5;
/** After an idle period of this wall-clock duration, in µs, no frame was missed. */
const REST_US = 16_000;

/**
 * The work of the main thread during an action: its processor time multiplied by the slowdown, so that it does not depend
 * on other load of this machine. Scripts of the test itself are not counted.
 */
async function workIn(page: Page, act: () => Promise<void>): Promise<MainThreadWork> {
  const browser = page.context().browser();
  await browser?.startTracing(page, {
    categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline", "__metadata"],
  });
  await act();
  const { traceEvents } = JSON.parse((await browser?.stopTracing())?.toString() ?? "{}") as { traceEvents: TraceEvent[] };
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid}:${tid}`),
  );
  const events = traceEvents
    .filter(({ ph, pid, tid }) => ph === "X" && mains.has(`${pid}:${tid}`))
    .sort((one, other) => one.ts - other.ts || (other.dur ?? 0) - (one.dur ?? 0));
  const frames: number[] = [];
  let task = 0;
  let frame = 0;
  let end = 0;
  const close = () => {
    if (frame > 0) frames.push(frame);
    frame = 0;
  };
  for (const [at, event] of events.entries()) {
    if (event.name !== "ThreadControllerImpl::RunTask") continue;
    const until = event.ts + (event.dur ?? 0);
    const inner: TraceEvent[] = [];
    for (let next = at + 1; next < events.length && (events[next]?.ts ?? 0) < until; next += 1) {
      inner.push(events[next] as TraceEvent);
    }
    if (inner.some(({ args }) => args?.chrome_mojo_event_info?.mojo_interface_tag === "blink.mojom.DevToolsSession")) continue;
    const ms = ((event.tdur ?? 0) / 1000) * SLOWDOWN;
    if (event.ts - end > REST_US) close();
    // The collector uses many short tasks with lower priority than frames, so a frame waits for at most one.
    if (!isCollecting(event, inner)) frame += ms;
    end = until;
    task = Math.max(task, ms);
    if (inner.some(({ name }) => name === "Commit")) close();
  }
  close();
  frames.sort((a, b) => b - a);
  return {
    frame: frames[0] ?? 0,
    median: frames[Math.floor(frames.length / 2)] ?? 0,
    late: frames.filter((ms) => ms > LATE).length,
    frames: frames.length,
    task,
    all: frames.reduce((sum, ms) => sum + ms, 0),
  };
}

/** Whether most of a task is garbage collection that was not caused by the page. */
function isCollecting(task: TraceEvent, inner: readonly TraceEvent[]): boolean {
  let collected = 0;
  let end = 0;
  for (const { name, ts, dur = 0, tdur = 0 } of inner) {
    if (ts >= end && name.startsWith("V8.GC_")) {
      collected += tdur;
      end = ts + dur;
    } else if (name === "FunctionCall" || name === "Commit") {
      return false;
    }
  }
  return collected > COLLECTING * (task.tdur ?? 0);
}

/** Processor time of the page's own work during an action, in ms. */
async function workWhile(cdp: CDPSession, act: () => Promise<void>): Promise<number> {
  const busy = async () => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1000;
  };
  const before = await busy();
  await act();
  return (await busy()) - before;
}

const report = (name: string, { frame, median, late, frames, task, all }: MainThreadWork) => {
  const ms = (value: number) => `${value.toFixed(0).padStart(5)} ms`;
  console.log(
    `${name.padEnd(32)} frames: longest${ms(frame)}, middle${ms(median)}, over ${LATE} ms ${late} of ${frames}; ` +
      `longest task${ms(task)}; in all${ms(all)}`,
  );
};

const TYPED = "слово за словом";

/** Opens the text and puts the caret into its first line. */
async function write(page: Page, world: TranscriptWorld): Promise<void> {
  await page.goto(`${world.origin}/transcription/${world.job.my_job_id}`);
  await page.getByRole("button", { name: uk.toolbar.edit, exact: true }).click();
  await page.locator("[data-segment] p.reading").nth(2).click();
  await expect(page.getByTestId("segment-editor")).toBeFocused();
}

async function type(page: Page): Promise<void> {
  for (const letter of TYPED) {
    await page.keyboard.type(letter);
    await page.waitForTimeout(40);
  }
}

/** Scrolls with the wheel, at skimming speed and at flinging speed. */
async function scroll(page: Page, view: string): Promise<void> {
  for (const [speed, step] of [
    ["7,500", 120],
    ["25,000", 400],
  ] as const) {
    const scrolled = await workIn(page, async () => {
      await page.mouse.move(500, 400);
      for (let at = 0; at < 60; at += 1) {
        await page.mouse.wheel(0, step);
        await page.waitForTimeout(16);
      }
    });
    report(`scroll ${view}, ${speed} px/s`, scrolled);
    await page.waitForTimeout(1_000);
  }
}

test("a keystroke costs about the same in a text of 100,000 words as in a short one", async ({ page }) => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.setTimeDomain", { timeDomain: "threadTicks" });
  await cdp.send("Performance.enable");
  const costs: number[] = [];
  for (const segments of [interview(), longText(WORDS, SECONDS)]) {
    const world = await openWorld(page, segments);
    await write(page, world);
    await type(page);
    costs.push(await workWhile(cdp, () => type(page)));
    expect(await page.locator("[data-w]").count()).toBeLessThan(1_500);
    await world.stop();
  }
  const [short = 1, long = 0] = costs;
  console.log(`work of ${TYPED.length} keys: short text ${Math.round(short)} ms, long text ${Math.round(long)} ms`);
  expect(long / short).toBeLessThan(MAX_RATIO);
});

for (const [tab, part] of [
  ["subtitles", "textarea"],
  ["segments", "button[aria-haspopup=menu]"],
] as const) {
  test(`${tab}: rows get their controls shortly after scrolling, without changing their height`, async ({ page }) => {
    const world = await openWorld(page, longText(10_000, 3_600));
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${world.origin}/transcription/${world.job.my_job_id}?tab=${tab}`);
      await expect(page.locator(`[data-index] ${part}`).first()).toBeVisible();
      await expectSteadyRows(page, part);
    }
    await world.stop();
  });
}

/** Scrolls far down, and compares rows at first and shortly afterwards. */
async function expectSteadyRows(page: Page, part: string): Promise<void> {
  const bare = await page.evaluate(
    async ([control]) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      window.scrollTo(0, 9_000);
      for (let at = 0; at < 12; at += 1) {
        await frame();
        window.scrollBy(0, at % 2 === 0 ? 1 : -1);
      }
      return [...document.querySelectorAll<HTMLElement>("[data-index]")]
        .filter((row) => !row.querySelector(control))
        .map((row) => ({ index: row.dataset.index, height: row.getBoundingClientRect().height }));
    },
    [part] as const,
  );
  expect(bare.length).toBeGreaterThan(3);
  for (const { index, height } of bare) {
    const row = page.locator(`[data-index="${index}"]`);
    await expect(row.locator(part).first()).toBeVisible();
    expect((await row.boundingBox())?.height, `row ${index}`).toBeCloseTo(height, 1);
  }
}

test("times of a text of 100,000 words", async ({ page }) => {
  test.skip(!MEASURED, "SLOVO_SPEED=1 measures");
  const world = await openWorld(page, longText(WORDS, SECONDS));
  const path = `/transcription/${world.job.my_job_id}`;
  const go = (to: string) =>
    page.evaluate((next) => {
      history.pushState({}, "", next);
      dispatchEvent(new PopStateEvent("popstate", { state: {} }));
    }, to);
  const waitForText = () => expect(page.locator("[data-w]").first()).toBeVisible();
  // First without measuring, so that loading code is not included.
  await page.goto(`${world.origin}${path}`);
  await waitForText();
  await go("/transcriptions");
  await expect(page.locator("[data-w]")).toHaveCount(0);
  // The response with the text is held until the rest of the page is loaded.
  world.setLine("held");
  await go(path);
  await page.waitForTimeout(1_500);
  report(
    "open, with the text's transport",
    await workIn(page, async () => {
      world.setLine("up");
      await page.locator("[data-segment]").first().waitFor();
    }),
  );
  await waitForText();
  await page.waitForTimeout(1_500);

  await scroll(page, "text");

  await page.getByRole("button", { name: uk.toolbar.edit, exact: true }).click();
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.locator("[data-segment] p.reading").nth(2).click();
  await expect(page.getByTestId("segment-editor")).toBeFocused();
  report(
    "type",
    await workIn(page, async () => {
      await type(page);
      await type(page);
    }),
  );
  await expect(page.getByTestId("save-status")).toHaveText("");
  const stored = world.journal.length;
  report(
    "type a word and save",
    await workIn(page, async () => {
      await page.keyboard.type(" !");
      await expect.poll(() => world.journal.length).toBe(stored + 1);
      // The response and the event of the edit.
      await page.waitForTimeout(500);
    }),
  );
  await page.getByRole("button", { name: uk.toolbar.done }).click();

  const bar = page.locator(".seek-bar");
  for (const second of [30_000, 5_000, 35_900]) {
    const jumped = await workIn(page, () =>
      bar.evaluate((input: HTMLInputElement, value) => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, String(value));
        input.dispatchEvent(new Event("input", { bubbles: true }));
        input.dispatchEvent(new Event("change", { bubbles: true }));
        return new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      }, second),
    );
    report(`jump to ${second} s`, jumped);
  }
  for (const tab of ["dialog", "search", "segments", "subtitles"] as const) {
    const opened = await workIn(page, async () => {
      await page.getByRole("tab", { name: uk.tabs[tab] }).click();
      await expect(page.getByRole("tab", { name: uk.tabs[tab] })).toHaveAttribute("aria-selected", "true");
    });
    report(`open ${tab}`, opened);
    // There are no results yet.
    if (tab !== "search") {
      await page.waitForTimeout(1_500);
      await scroll(page, tab);
    }
  }
  await world.stop();
});
