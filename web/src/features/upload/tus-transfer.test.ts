import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startWhenLoaded } from "./tus-transfer";
import { fileKey, fingerprint, type StartTransfer, type TransferOptions } from "./tus-uploads";

const FILE = new File(["sound"], "a.mp3", { lastModified: 7 });

const events = { onProgress: vi.fn(), onWaiting: vi.fn(), onDone: vi.fn(), onFailed: vi.fn() };
const options: TransferOptions = {
  file: FILE,
  owner: "ann",
  resumable: true,
  endpoint: "/",
  authorize: async () => ({}),
  events,
};
const transfer = { pause: vi.fn(), resume: vi.fn(), cancel: vi.fn(async () => {}) };
const client = vi.fn<StartTransfer>(() => transfer);

let arrive: (start: StartTransfer) => void;
let miss: (error: unknown) => void;
const load = vi.fn(
  () =>
    new Promise<StartTransfer>((resolve, reject) => {
      arrive = resolve;
      miss = reject;
    }),
);
const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
});
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

it("starts at once if the client is loaded", () => {
  expect(startWhenLoaded({ get: () => client, load }, options)).toBe(transfer);
  expect(load).not.toHaveBeenCalled();
});

it("starts as soon as the client is loaded, also if it was paused meanwhile", async () => {
  startWhenLoaded({ get: () => null, load }, options);
  expect(client).not.toHaveBeenCalled();
  arrive(client);
  await settle();
  expect(client).toHaveBeenCalledExactlyOnceWith(options);
  expect(transfer.pause).not.toHaveBeenCalled();

  const paused = startWhenLoaded({ get: () => null, load }, options);
  paused.pause();
  arrive(client);
  await settle();
  expect(transfer.pause).toHaveBeenCalledOnce();
  paused.resume();
  expect(transfer.resume).toHaveBeenCalledOnce();
});

it("reports a lost connection, and loads the client again", async () => {
  startWhenLoaded({ get: () => null, load }, options);
  miss(new TypeError("no network"));
  await settle();
  expect(events.onWaiting).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(500);
  expect(load).toHaveBeenCalledTimes(2);
  arrive(client);
  await settle();
  expect(client).toHaveBeenCalledOnce();
  expect(events.onFailed).not.toHaveBeenCalled();
});

it("neither sends nor stores anything after an earlier cancel", async () => {
  const key = `tus::${fingerprint("ann", fileKey(FILE))}::1`;
  localStorage.setItem(key, "{}");
  const cancelled = startWhenLoaded({ get: () => null, load }, options);
  await cancelled.cancel();
  arrive(client);
  await settle();
  expect(client).not.toHaveBeenCalled();
  expect(localStorage.getItem(key)).toBeNull();
});
