import { beforeEach, describe, expect, it, vi } from "vitest";
import { createDeletionQueue } from "./deletion-queue";

const DELAY = 10_000;

describe("deletions that can be undone", () => {
  const remove = vi.fn<(ids: readonly string[], keepalive: boolean) => Promise<unknown>>();
  const started = vi.fn<() => void>();
  const settled = vi.fn<(error: unknown) => Promise<unknown>>();

  beforeEach(() => {
    vi.useFakeTimers();
    remove.mockReset().mockResolvedValue(undefined);
    started.mockReset();
    settled.mockReset().mockResolvedValue(undefined);
    return () => vi.useRealTimers();
  });

  it("hides items at once and deletes them after the delay", async () => {
    const queue = createDeletionQueue(remove, DELAY);
    queue.schedule(["a"], started, settled);
    expect(queue.hidden().has("a")).toBe(true);
    await vi.advanceTimersByTimeAsync(DELAY - 1);
    expect(remove).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(remove).toHaveBeenCalledWith(["a"], false);
    expect(settled).toHaveBeenCalledWith(null);
    expect(queue.hidden().has("a")).toBe(false);
  });

  it("does not delete after an undo", async () => {
    const queue = createDeletionQueue(remove, DELAY);
    queue.schedule(["a"], started, settled);
    queue.undo(["a"]);
    expect(queue.hidden().has("a")).toBe(false);
    await vi.advanceTimersByTimeAsync(DELAY * 2);
    expect(remove).not.toHaveBeenCalled();
  });

  it("reports the end of the undo period before the request is sent", async () => {
    const queue = createDeletionQueue(remove, DELAY);
    started.mockImplementation(() => expect(remove).not.toHaveBeenCalled());
    expect(queue.schedule(["a"], started, settled)).toBe(true);
    expect(queue.schedule(["a"], started, settled)).toBe(false);
    queue.schedule(["b"], started, settled);
    queue.undo(["b"]);
    await vi.advanceTimersByTimeAsync(DELAY - 1);
    expect(started).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(started).toHaveBeenCalledOnce();
  });

  it("deletes and restores items of one call together, independent of other pending items", async () => {
    const queue = createDeletionQueue(remove, DELAY);
    queue.schedule(["a"], started, settled);
    expect(queue.schedule(["a", "b", "c"], started, settled)).toBe(true);
    queue.undo(["b", "c"]);
    expect([...queue.hidden()]).toEqual(["a"]);
    expect(queue.schedule([], started, settled)).toBe(false);
    queue.schedule(["c", "d"], started, settled);
    await vi.advanceTimersByTimeAsync(DELAY);
    expect(remove.mock.calls).toEqual([
      [["a"], false],
      [["c", "d"], false],
    ]);
    expect(settled).toHaveBeenCalledTimes(2);
    expect(queue.hidden().size).toBe(0);
  });

  it("keeps items hidden until the list is refetched", async () => {
    let fetched = () => {};
    settled.mockReturnValue(new Promise<void>((resolve) => (fetched = resolve)));
    const queue = createDeletionQueue(remove, DELAY);
    queue.schedule(["a"], started, settled);
    await vi.advanceTimersByTimeAsync(DELAY);
    expect(queue.hidden().has("a")).toBe(true);
    fetched();
    await vi.advanceTimersByTimeAsync(0);
    expect(queue.hidden().has("a")).toBe(false);
  });

  it("shows items again if deleting failed, with the reason", async () => {
    const reason = new Error("no");
    remove.mockRejectedValue(reason);
    const queue = createDeletionQueue(remove, DELAY);
    queue.schedule(["a"], started, settled);
    await vi.advanceTimersByTimeAsync(DELAY);
    expect(settled).toHaveBeenCalledWith(reason);
    expect(queue.hidden().has("a")).toBe(false);
  });

  it("deletes pending items once when the page is closed, with keepalive requests", async () => {
    const queue = createDeletionQueue(remove, DELAY);
    queue.schedule(["a"], started, settled);
    queue.schedule(["b"], started, settled);
    queue.flush();
    await vi.advanceTimersByTimeAsync(DELAY * 2);
    expect(remove.mock.calls).toEqual([
      [["a"], true],
      [["b"], true],
    ]);
  });

  it("drops everything for the next user", async () => {
    const queue = createDeletionQueue(remove, DELAY);
    queue.schedule(["a"], started, settled);
    queue.clear();
    await vi.advanceTimersByTimeAsync(DELAY * 2);
    expect(remove).not.toHaveBeenCalled();
    expect(queue.hidden().size).toBe(0);
  });
});
