import { describe, expect, it } from "vitest";
import { readAnswer } from "./answer-stream";

/** A response whose bytes arrive in these chunks; `hang` keeps it open afterwards. */
function answer(pieces: readonly Uint8Array[], hang = false): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      if (!hang) controller.close();
    },
  });
  return new Response(body);
}

const bytes = (text: string) => new TextEncoder().encode(text);
const delta = (text: string) => `event: delta\ndata: ${JSON.stringify({ text })}\n\n`;
const doneEvent = `event: done\ndata: ${JSON.stringify({ id: "1", role: "assistant", text: "Слово." })}\n\n`;

async function read(response: Response, signal = new AbortController().signal) {
  let text = "";
  const end = await readAnswer(
    response,
    (piece) => {
      text += piece;
    },
    signal,
  );
  return { text, end };
}

describe("an answer", () => {
  it("is complete for any division into chunks", async () => {
    const fullStream = bytes(`: here\n\n${delta("Сло")}${delta("во.")}${doneEvent}`);
    for (const size of [1, 3, 7, fullStream.length]) {
      const pieces = Array.from({ length: Math.ceil(fullStream.length / size) }, (_, at) =>
        fullStream.slice(at * size, (at + 1) * size),
      );
      const { text, end } = await read(answer(pieces));
      expect(text).toBe("Слово.");
      expect(end).toMatchObject({ kind: "done", message: { text: "Слово." } });
    }
  });

  it("is incomplete if the connection is lost, and keeps the received text", async () => {
    expect(await read(answer([bytes(delta("Сло"))]))).toEqual({ text: "Сло", end: { kind: "cut" } });
    expect((await read(new Response(null))).end).toEqual({ kind: "cut" });
  });

  it("has a reason if it fails; unreadable events are skipped", async () => {
    const odd = `event: delta\ndata: {nonsense\n\nevent: delta\ndata: 7\n\nevent: news\ndata: {}\n\n`;
    const failed = `event: failed\ndata: {"code":"analysis_busy"}\n\n`;
    expect(await read(answer([bytes(odd + failed + delta("late"))]))).toMatchObject({
      text: "",
      end: { kind: "failed", code: "analysis_busy" },
    });
  });

  it("ends at the end event, and rejects when it is aborted", async () => {
    expect((await read(answer([bytes(doneEvent)], true))).end.kind).toBe("done");
    const controller = new AbortController();
    const reading = read(answer([bytes(delta("Сло"))], true), controller.signal);
    setTimeout(() => controller.abort(), 10);
    await expect(reading).rejects.toThrow();
  });
});
