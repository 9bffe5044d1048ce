import { describe, expect, it, vi } from "vitest";
import { createChunkQueue } from "./chunk-queue";

const bytes = (...values: number[]) => new Uint8Array(values);
const fresh = (load = async () => null as Uint8Array<ArrayBuffer> | null, memory?: number) =>
  createChunkQueue({ acked: 0, end: 0, kept: [] }, load, memory);
const sent = (batch: { parts: Uint8Array[] } | null) => batch?.parts.flatMap((part) => [...part]) ?? null;

describe("the queue", () => {
  it("returns the next bytes, as many as fit", async () => {
    const queue = fresh();
    queue.push(bytes(1, 2, 3));
    queue.push(bytes(4, 5));
    expect(sent(await queue.next(4))).toEqual([1, 2, 3, 4]);
    expect(sent(await queue.next(100))).toEqual([1, 2, 3, 4, 5]);
    expect(await queue.next(100)).toMatchObject({ offset: 0, length: 5 });
  });

  it("continues at the server's offset in the middle of a piece", async () => {
    const queue = fresh();
    queue.push(bytes(1, 2, 3));
    queue.push(bytes(4, 5));
    queue.ack(2);
    expect(await queue.next(2)).toMatchObject({ offset: 2, length: 2 });
    expect(sent(await queue.next(2))).toEqual([3, 4]);
    expect(queue.pending()).toBe(3);
    queue.ack(5);
    expect(await queue.next(2)).toBeNull();
  });

  it("ignores an offset beyond its end", () => {
    const queue = fresh();
    queue.push(bytes(1, 2));
    queue.ack(9);
    expect([queue.acked(), queue.pending()]).toEqual([2, 0]);
    queue.ack(1);
    expect(queue.acked()).toBe(2);
  });

  it("drops stored pieces from memory if there are many, and loads them again", async () => {
    const stored = new Map<number, Uint8Array<ArrayBuffer>>();
    const load = vi.fn(async ({ offset }: { offset: number }) => stored.get(offset) ?? null);
    const queue = createChunkQueue({ acked: 0, end: 0, kept: [] }, load, 4);
    for (const piece of [bytes(1, 2), bytes(3, 4), bytes(5, 6)]) {
      const span = queue.push(piece);
      stored.set(span.offset, piece);
      queue.noteKept(span);
    }
    expect(sent(await queue.next(4))).toEqual([1, 2, 3, 4]);
    expect(load).not.toHaveBeenCalled();
    expect(sent(await queue.next(6))).toEqual([1, 2, 3, 4, 5, 6]);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it("stops before a lost piece", async () => {
    const queue = createChunkQueue({ acked: 0, end: 4, kept: [{ offset: 0, length: 4 }] }, async () => null);
    queue.push(bytes(5));
    expect(await queue.next(9)).toBeNull();
  });

  it("resends what the server has lost from stored pieces", async () => {
    const queue = fresh(async () => bytes(1, 2, 3));
    queue.push(bytes(1, 2, 3));
    queue.push(bytes(4));
    queue.ack(3);
    queue.rewind(1, [{ offset: 0, length: 3 }]);
    expect(sent(await queue.next(9))).toEqual([2, 3, 4]);
  });
});
