/** A large file with failures: the network is lost, the server is killed, and the upload is still complete. */
import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Session, UploadState } from "../src/api/schema";
import upload from "../src/locales/uk/upload.json" with { type: "json" };
import { signIn, signUp, uploadsOf } from "./accounts";
import { largeRecording } from "./recordings";
import type { Server } from "./server";
import { expect, test } from "./test";

const MB = 1_000_000;
/** 300 MB of noise, so that a lost, duplicated or moved part changes the digest. */
const LARGE = () => largeRecording("large-noise.wav", 1_563, "noise");
/** Limits the upload rate, so that failures happen during the upload. In bytes per second. */
const SLOW = 25 * MB;

async function digest(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

const arriving = async (server: Server, session: Session): Promise<UploadState | undefined> =>
  (await uploadsOf(server, session))[0];

test("300 MB survive a lost network and a killed server, byte for byte", async ({ page, server, context }) => {
  const session = await signUp(server);
  await signIn(context, session);
  const path = LARGE();
  expect(statSync(path).size).toBeGreaterThan(300 * MB);
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: SLOW };
  await network.send("Network.emulateNetworkConditions", conditions);
  const stored = async () => (await arriving(server, session))?.stored ?? 0;

  await page.goto(`${server.origin}/upload`);
  await page.locator("input[type=file]").setInputFiles(path);
  await expect.poll(stored, { timeout: 120_000 }).toBeGreaterThan(40 * MB);
  await network.send("Network.emulateNetworkConditions", { ...conditions, offline: true });
  await expect(page.getByText(upload.transfer.waiting).first()).toBeVisible();
  const before = await stored();
  expect(before).toBeLessThan(290 * MB);
  await network.send("Network.emulateNetworkConditions", conditions);
  await expect.poll(stored, { timeout: 120_000 }).toBeGreaterThan(before + 40 * MB);
  expect(await stored()).toBeLessThan(300 * MB);
  await server.crashAndRestart();

  await expect(page.getByText(upload.transfer.ready)).toBeVisible({ timeout: 180_000 });
  const arrived = await arriving(server, session);
  expect(arrived?.stored).toBe(statSync(path).size);
  expect(await digest(join(server.data, "media", arrived?.upload_id ?? ""))).toBe(await digest(path));
});
