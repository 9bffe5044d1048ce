/**
 * How a text of 100,000 words (ten hours) opens, scrolls, types and is jumped in. Always: only some of it is on the page,
 * and one key costs about as much as in a short text. With SLOVO_SPEED=1: the figures, in ms of a processor four times slower. SLOVO_TEXTS names real texts (JSON lines with `transcript`).
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
/** What the work of a key in the long text may be of that in the short one: any part that grows with the length shows. */
const MOST_RATIO = 8;

test.setTimeout(300_000);
// A trace pictures every key, which costs more than the key.
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
  /** Beginning and length by the clock, in µs. */
  ts: number;
  dur?: number;
  /** Processor time of the thread, in µs. */
  tdur?: number;
  args: { name?: string; chrome_mojo_event_info?: { mojo_interface_tag?: string } };
}

/** What the main thread did, in ms of the slower processor. */
interface Work {
  /** The longest frame: everything from one frame to the next, or to a rest. */
  frame: number;
  /** How long the frame in the middle took, and how many were too long. */
  median: number;
  late: number;
  frames: number;
  /** The longest task. */
  task: number;
  /** Everything. */
  all: number;
}

/** A frame of more, in ms, is seen. */
const LATE = 33;
/** A task with more of the garbage collector than this share is one of its own. */
const COLLECTING = 0.5;
/** A main thread that rests for so long by the clock, in µs, has missed no frame. */
const REST_US = 16_000;

/**
 * The main thread's work while something is done, by its processor time times the slowdown: what it takes on such a machine,
 * however busy the present one is with other things. The questions of the test itself to the page do not count.
 */
async function workIn(page: Page, act: () => Promise<void>): Promise<Work> {
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
  for (const [at, one] of events.entries()) {
    if (one.name !== "ThreadControllerImpl::RunTask") continue;
    const until = one.ts + (one.dur ?? 0);
    const inner: TraceEvent[] = [];
    for (let next = at + 1; next < events.length && (events[next]?.ts ?? 0) < until; next += 1) {
      inner.push(events[next] as TraceEvent);
    }
    if (inner.some(({ args }) => args?.chrome_mojo_event_info?.mojo_interface_tag === "blink.mojom.DevToolsSession")) continue;
    const ms = ((one.tdur ?? 0) / 1000) * SLOWDOWN;
    if (one.ts - end > REST_US) close();
    // The collector works in many short tasks of its own, and a frame goes before them: it waits for one at most.
    if (!isCollecting(one, inner)) frame += ms;
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

/** Whether most of a task is garbage collection that nothing of the page has set off. */
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

/** Processor time of the page's own work while something is done, in ms. */
async function workWhile(cdp: CDPSession, act: () => Promise<void>): Promise<number> {
  const busy = async () => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1000;
  };
  const before = await busy();
  await act();
  return (await busy()) - before;
}

const told = (name: string, { frame, median, late, frames, task, all }: Work) => {
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

/** By wheel, as fast as one reads over a text, and as fast as one flings it. */
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
    told(`scroll ${view}, ${speed} px/s`, scrolled);
    await page.waitForTimeout(1_000);
  }
}

test("a key costs about the same in a text of 100,000 words as in a short one", async ({ page }) => {
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
  expect(long / short).toBeLessThan(MOST_RATIO);
});

for (const [tab, part] of [
  ["subtitles", "textarea"],
  ["segments", "button[aria-haspopup=menu]"],
] as const) {
  test(`${tab}: a row that comes while one scrolls has its controls a moment later, and stays as high`, async ({ page }) => {
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

/** Goes far down, and compares the rows as they come with what they are a moment later. */
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

test("figures of a text of 100,000 words", async ({ page }) => {
  test.skip(!MEASURED, "SLOVO_SPEED=1 measures");
  const world = await openWorld(page, longText(WORDS, SECONDS));
  const path = `/transcription/${world.job.my_job_id}`;
  const go = (to: string) =>
    page.evaluate((next) => {
      history.pushState({}, "", next);
      dispatchEvent(new PopStateEvent("popstate", { state: {} }));
    }, to);
  const shown = () => expect(page.locator("[data-w]").first()).toBeVisible();
  // Once for the code, so that the next time is about the text.
  await page.goto(`${world.origin}${path}`);
  await shown();
  await go("/transcriptions");
  await expect(page.locator("[data-w]")).toHaveCount(0);
  // The text waits at the server until everything else of the page is there, and comes at once then.
  world.setLine("held");
  await go(path);
  await page.waitForTimeout(1_500);
  told(
    "open, with the text's transport",
    await workIn(page, async () => {
      world.setLine("up");
      await page.locator("[data-segment]").first().waitFor();
    }),
  );
  await shown();
  await page.waitForTimeout(1_500);

  await scroll(page, "text");

  await page.getByRole("button", { name: uk.toolbar.edit, exact: true }).click();
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.locator("[data-segment] p.reading").nth(2).click();
  await expect(page.getByTestId("segment-editor")).toBeFocused();
  told(
    "type",
    await workIn(page, async () => {
      await type(page);
      await type(page);
    }),
  );
  await expect(page.getByTestId("save-status")).toHaveText("");
  const stored = world.journal.length;
  told(
    "type a word and save",
    await workIn(page, async () => {
      await page.keyboard.type(" !");
      await expect.poll(() => world.journal.length).toBe(stored + 1);
      // Its acknowledgement and its event.
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
    told(`jump to ${second} s`, jumped);
  }
  for (const tab of ["dialog", "search", "segments", "subtitles"] as const) {
    const opened = await workIn(page, async () => {
      await page.getByRole("tab", { name: uk.tabs[tab] }).click();
      await expect(page.getByRole("tab", { name: uk.tabs[tab] })).toHaveAttribute("aria-selected", "true");
    });
    told(`open ${tab}`, opened);
    // Nothing has been found yet that could be scrolled.
    if (tab !== "search") {
      await page.waitForTimeout(1_500);
      await scroll(page, tab);
    }
  }
  await world.stop();
});
