/** A server whose recordings are in an object store, from which pages play them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test as base, expect } from "@playwright/test";
import type { Job, Session } from "../src/api/schema";
import player from "../src/locales/uk/player.json" with { type: "json" };
import { finishedJob, signIn, signUp } from "./accounts";
import { recording, SHORT } from "./recordings";
import { Server } from "./server";
import { playerState } from "./test";

/** Installed by `cargo xtask test`. */
const WEED = resolve(process.env.SLOVO_TEST_WEED ?? "../target/seaweedfs/bin/weed");
const BUCKET = "recordings";
const KEYS = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "secret" };

interface Store {
  origin: string;
  stop: () => Promise<void>;
}

/** A port that the system gives to no outgoing connection, so that it stays free until the store listens. */
async function quietPort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 20_000);
    const probe = createServer();
    const isFree = await new Promise((done) => {
      probe.once("error", () => done(false)).listen(port, "127.0.0.1", () => done(true));
    });
    await new Promise((done) => probe.close(done));
    if (isFree) return port;
  }
}

async function answers(origin: string): Promise<boolean> {
  try {
    await fetch(origin);
    return true;
  } catch {
    return false;
  }
}

async function startStore(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), "slovo-store-"));
  const names = ["master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port", "filer.port.grpc"];
  const ports = new Map<string, number>();
  for (const name of [...names, "s3.port", "s3.port.grpc"]) ports.set(name, await quietPort());
  const data = join(folder, "data");
  mkdirSync(data);
  writeFileSync(
    join(folder, "s3.json"),
    JSON.stringify({
      identities: [
        {
          name: "slovo",
          credentials: [{ accessKey: KEYS.AWS_ACCESS_KEY_ID, secretKey: KEYS.AWS_SECRET_ACCESS_KEY }],
          actions: ["Read", "Write", "List"].map((action) => `${action}:${BUCKET}`),
        },
      ],
    }),
  );
  const server = spawn(
    WEED,
    [
      ...["server", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-filer", "-s3", "-s3.iam=false", "-volume.max=0"],
      ...["-s3.port.iceberg=0", "-s3.port.lance=0", "-master.telemetry=false"],
      ...["-master.volumeSizeLimitMB=64", `-dir=${data}`, `-s3.config=${join(folder, "s3.json")}`],
      ...[...ports].map(([name, port]) => `-${name}=${port}`),
    ],
    { cwd: folder, stdio: "ignore" },
  );
  const [s3, filer] = [ports.get("s3.port") ?? 0, ports.get("filer.port") ?? 0];
  await expect.poll(() => answers(`http://127.0.0.1:${s3}/`), { timeout: 120_000 }).toBe(true);
  const make = () => fetch(`http://127.0.0.1:${filer}/buckets/${BUCKET}/`, { method: "POST" });
  const made = () =>
    make().then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(made, { timeout: 120_000 }).toBe(true);
  return {
    origin: `http://127.0.0.1:${s3}`,
    stop: async () => {
      server.kill("SIGKILL");
      await once(server, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const test = base.extend<{ store: Store; server: Server; reader: Session; job: Job }>({
  store: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright demands an object pattern
    async ({}, use) => {
      const store = await startStore();
      await use(store);
      await store.stop();
    },
    { timeout: 120_000 },
  ],
  server: async ({ store }, use) => {
    const server = await Server.start({
      ...KEYS,
      AWS_ENDPOINT_URL: store.origin,
      SLOVO_STORAGE: `s3://${BUCKET}/slovo`,
      SLOVO_S3_DIRECT_PLAYBACK: "true",
    });
    await use(server);
    await server.stop();
  },
  reader: async ({ server }, use) => use(await signUp(server)),
  job: async ({ server, reader }, use) => {
    const settings = { transcription_type: "lite", language_code: "en" } as const;
    await use(await finishedJob(server, reader, recording("short.mp3", SHORT), settings));
  },
});

test.skip(!existsSync(WEED), "SeaweedFS is not installed: cargo xtask test installs it");

test("a page plays a recording from the object store, at any position", async ({ page, context, store, server, reader, job }) => {
  const refused: string[] = [];
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) refused.push(message.text());
  });
  const played = page.waitForResponse((response) => response.url().startsWith(`${store.origin}/${BUCKET}/slovo/media/`));
  await signIn(context, reader);
  await page.goto(`${server.origin}/transcription/${job.my_job_id}`);
  await page.getByRole("button", { name: player.play, exact: true }).click();
  expect((await played).status()).toBe(206);
  await expect.poll(async () => (await playerState(page)).time).toBeGreaterThan(0.3);
  await page.locator("audio").evaluate((media: HTMLMediaElement) => {
    media.currentTime = media.duration - 2;
  });
  await expect.poll(async () => (await playerState(page)).time).toBeGreaterThan(10);
  expect(refused).toEqual([]);
});
