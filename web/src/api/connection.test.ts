import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Connection, type ConnectionStatus, createConnection, isUnavailable, RECHECK_MS } from "./connection";

let online: boolean;
let reachable: boolean;
let events: EventTarget;
let requests: number;

function start(): { connection: Connection; lines: ConnectionStatus[] } {
  const lines: ConnectionStatus[] = [];
  const ask = () => {
    requests += 1;
    return Promise.resolve(reachable);
  };
  const connection = createConnection({ ask, isOnline: () => online, events });
  connection.subscribe(({ line }, before) => line !== before.line && lines.push(line));
  return { connection, lines };
}

beforeEach(() => {
  vi.useFakeTimers();
  online = true;
  reachable = true;
  requests = 0;
  events = new EventTarget();
});
afterEach(() => void vi.useRealTimers());

it("does not report a failed request while the server is reachable", async () => {
  const { connection, lines } = start();
  connection.failed();
  expect(connection.getState().doubtful).toBe(true);
  await vi.runAllTimersAsync();
  expect(requests).toBe(1);
  expect(lines).toEqual([]);
  expect(connection.getState().doubtful).toBe(false);
});

it("checks until the server is back, and reports each change once", async () => {
  const { connection, lines } = start();
  reachable = false;
  connection.failed();
  connection.failed();
  await vi.advanceTimersByTimeAsync(0);
  expect(lines).toEqual(["away"]);
  await vi.advanceTimersByTimeAsync(RECHECK_MS[0] + RECHECK_MS[1]);
  expect(requests).toBe(3);
  expect(lines).toEqual(["away"]);
  reachable = true;
  await vi.advanceTimersByTimeAsync(RECHECK_MS[2]);
  expect(lines).toEqual(["away", "up"]);
  await vi.runAllTimersAsync();
  expect(requests).toBe(4);
});

it("counts any response as the server's return", async () => {
  const { connection, lines } = start();
  reachable = false;
  connection.failed();
  await vi.advanceTimersByTimeAsync(0);
  connection.answered();
  expect(lines).toEqual(["away", "up"]);
});

it("detects a missing network at once, and checks when it is back", async () => {
  const { connection, lines } = start();
  online = false;
  reachable = false;
  events.dispatchEvent(new Event("offline"));
  expect(lines).toEqual(["offline"]);
  online = true;
  reachable = true;
  events.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(0);
  expect(connection.getState().line).toBe("up");
});

it.each([
  [0, null, true],
  [502, null, true],
  [504, null, true],
  [503, null, true],
  [503, "unavailable", true],
  [503, "storage_full", false],
  [500, null, false],
  [404, null, false],
  [429, null, false],
])("a response of %d %s means unavailable: %s", (status, code, away) => expect(isUnavailable(status, code)).toBe(away));
