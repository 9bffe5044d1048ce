/** Recording the sound of another tab, as for an interview held in the browser. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import config, { WINDOWED } from "../playwright.config";
import rules from "../src/locales/uk/rules.json" with { type: "json" };
import voice from "../src/locales/uk/voice.json" with { type: "json" };
import { signIn, signUp, uploadsOf } from "./accounts";
import { expect, test } from "./test";
import { expectSeconds } from "./voice-timer";

const TITLE = "Slovo tone";
const HEADER = 44;

test.use({
  launchOptions: {
    ...config.use?.launchOptions,
    executablePath: WINDOWED,
    // A muted browser captures silence.
    ignoreDefaultArgs: ["--mute-audio"],
    args: [...(config.use?.launchOptions?.args ?? []), `--auto-select-tab-capture-source-by-title=${TITLE}`],
  },
});

/** The largest sample of a 16-bit WAV file, 0 to 1. */
function loudest(path: string): number {
  const bytes = readFileSync(path).subarray(HEADER);
  let peak = 0;
  for (let at = 0; at + 1 < bytes.length; at += 2) peak = Math.max(peak, Math.abs(bytes.readInt16LE(at)));
  return peak / 32_768;
}

test("the sound of another tab is recorded without its video", async ({ page, context, server }) => {
  const session = await signUp(server);
  await signIn(context, session);
  const playing = await context.newPage();
  await playing.route("**/tone", (route) => route.fulfill({ contentType: "text/html", body: `<title>${TITLE}</title>` }));
  await playing.goto(`${server.origin}/tone`);
  await playing.evaluate(() => {
    const sound = new AudioContext();
    const tone = new OscillatorNode(sound, { frequency: 440 });
    tone.connect(new GainNode(sound, { gain: 0.5 })).connect(sound.destination);
    tone.start();
  });
  await page.bringToFront();
  await page.goto(`${server.origin}/upload`);
  await page.getByRole("tab", { name: rules.source.voice }).click();
  await page.getByLabel(voice.source.label).selectOption({ label: voice.source.system });
  await page.getByRole("button", { name: voice.start.button, exact: true }).click();
  await expect(page.getByText(voice.state.recording)).toBeVisible();
  await expectSeconds(page, 3);
  await page.getByRole("button", { name: voice.actions.stop, exact: true }).click();
  await page.getByRole("button", { name: voice.actions.use, exact: true }).click();
  await expect.poll(async () => (await uploadsOf(server, session))[0]?.complete).toBe(true);
  const [upload] = await uploadsOf(server, session);
  expect(upload?.stored).toBeGreaterThan(HEADER + 2 * 88_200);
  expect(loudest(join(server.data, "media", upload?.upload_id ?? ""))).toBeGreaterThan(0.1);
});
